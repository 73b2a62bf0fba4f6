import { newId, sha256 } from '@mg/contract';
import { findCallerToken, followChanges } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestBed, type TestBed } from '../testing/open-test-console.js';
import { type MadeKey, type MadeProject, type Person, ProjectPeople } from '../testing/project-people.js';
import { MOST_MEMBERS } from './member-service.js';

let bed: TestBed;
let people: ProjectPeople;
let project: MadeProject;
let owner: Person;
let changes: { close(): Promise<void> };
const announced: string[] = [];

beforeAll(async () => {
  bed = await makeTestBed();
  people = await ProjectPeople.over(bed, await bed.open());
  project = await people.makeProject('a project');
  owner = await people.join(project, 'owner');
  await new Promise<void>((connected) => {
    changes = followChanges(bed.databaseUrl, {
      catalogChanged: () => undefined,
      tokenChanged: (keyHash) => announced.push(keyHash),
      connected,
      failed: (error) => expect.unreachable(error.message),
    });
  });
});

afterAll(async () => {
  await changes.close();
  await bed.stop();
});

const knownToGateway = ({ key }: MadeKey) => findCallerToken(bed.database, sha256(key));

const isDisabled = async (key: MadeKey) => (await knownToGateway(key))?.disabled;

async function listAudit(id: string) {
  const { body } = await people.ask<{ data: { action: string; before: unknown; after: unknown }[] }>(
    people.admin,
    'GET',
    `audit?target_id=${id}&limit=100`,
  );
  return body.data;
}

describe('a project', () => {
  it('has a wallet of its own, of its name and nobody’s', async () => {
    const { body } = await people.ask(people.admin, 'GET', `wallets/${project.wallet_id}`);
    expect(body).toMatchObject({ name: 'a project', user_id: null, balance: '0' });
    expect((await people.makeKey(owner, project)).status).toBe(201);
  });

  it('has a name that no other has', async () => {
    const again = await people.ask(people.admin, 'POST', 'projects', { name: 'a project' });
    expect(again).toMatchObject({ status: 409, body: { detail: { code: 'conflict', param: 'name' } } });
    const other = await people.makeProject(newId());
    const renamed = await people.ask(people.admin, 'PATCH', `projects/${other.id}`, { name: 'a project' });
    expect(renamed).toMatchObject({ status: 409, body: { detail: { param: 'name' } } });
  });

  it('takes over a wallet of an administrator, and none of a member or of another project', async () => {
    const create = (wallet_id: string) =>
      people.ask<MadeProject>(people.admin, 'POST', 'projects', { name: newId(), wallet_id });
    const mine = await people.ask<MadeKey>(people.admin, 'POST', 'tokens', { name: 'before' });
    const { status, body } = await create(mine.body.wallet_id);
    expect([status, body.wallet_id]).toEqual([201, mine.body.wallet_id]);
    const member = await people.makePerson();
    const theirs = await people.ask<MadeKey>(member, 'POST', 'tokens', { name: 'theirs' });
    for (const [wallet, expected] of [
      [theirs.body.wallet_id, 409],
      [project.wallet_id, 409],
      [newId(), 404],
    ] as const) {
      expect((await create(wallet)).status).toBe(expected);
    }
  });

  it('ends with its keys, and its wallet stays', async () => {
    const short = await people.makeProject(newId());
    const member = await people.join(short, 'member');
    const { body: key } = await people.makeKey(member, short);
    expect((await people.ask(people.admin, 'DELETE', `projects/${short.id}`)).status).toBe(204);
    expect(await isDisabled(key)).toBe(true);
    expect((await people.ask(people.admin, 'GET', `wallets/${short.wallet_id}`)).status).toBe(200);
    expect((await people.ask(member, 'PATCH', `tokens/${key.id}`, { disabled: false })).status).toBe(404);
    expect(await listAudit(short.id)).toMatchObject([
      { action: 'project.delete' },
      { action: 'project.set_member' },
      { action: 'project.create' },
    ]);
  });
});

describe('keys of a project', () => {
  it('make calls that are their users’, paid by the project', async () => {
    const member = await people.join(project, 'member');
    const { body: key } = await people.makeKey(member, project);
    expect(await knownToGateway(key)).toMatchObject({
      userId: member.id,
      walletId: project.wallet_id,
      disabled: false,
    });
  });

  it('are made for others by owners and administrators, and for nobody who may have none', async () => {
    const member = await people.join(project, 'member');
    const viewer = await people.join(project, 'viewer');
    const outsider = await people.makePerson();
    for (const maker of [owner, people.admin]) {
      const { status, body } = await people.makeKey(maker, project, { user_id: member.id });
      expect([status, body.user_id]).toEqual([201, member.id]);
      for (const user of [viewer, outsider, { id: newId() }]) {
        const refused = await people.makeKey(maker, project, { user_id: user.id });
        expect(refused).toMatchObject({ status: 400, body: { detail: { param: 'user_id' } } });
      }
    }
    const byMember = await people.makeKey(member, project, { user_id: owner.id });
    expect(byMember).toMatchObject({ status: 403, body: { detail: { param: 'user_id' } } });
    expect((await people.makeKey(viewer, project)).status).toBe(403);
  });

  it('are made by administrators for anybody on that user’s wallet', async () => {
    const member = await people.makePerson();
    const make = (by: Person, body: object) =>
      people.ask<MadeKey>(by, 'POST', 'tokens', { name: newId(), ...body });
    const { status, body } = await make(people.admin, { user_id: member.id });
    expect([status, body.user_id]).toEqual([201, member.id]);
    expect((await people.ask(member, 'GET', `tokens/${body.id}`)).status).toBe(200);
    const other = await people.makePerson();
    const foreign = { user_id: other.id, wallet_id: body.wallet_id };
    expect((await make(people.admin, foreign)).status).toBe(400);
    expect((await make(other, { user_id: member.id })).status).toBe(403);
    expect((await make(people.admin, { user_id: newId() })).status).toBe(404);
  });

  it('go neither into a project nor out of one', async () => {
    const { body: own } = await people.ask<MadeKey>(owner, 'POST', 'tokens', { name: newId() });
    const { body: shared } = await people.makeKey(owner, project);
    for (const [key, wallet_id] of [
      [own, project.wallet_id],
      [shared, own.wallet_id],
    ] as const) {
      const moved = await people.ask(owner, 'PATCH', `tokens/${key.id}`, { wallet_id });
      expect(moved).toMatchObject({ status: 409, body: { detail: { param: 'wallet_id' } } });
      const stays = { wallet_id: key.wallet_id };
      expect((await people.ask(owner, 'PATCH', `tokens/${key.id}`, stays)).status).toBe(200);
    }
  });
});

describe('a member', () => {
  it('who is taken out or made a viewer has no key there any more, at once', async () => {
    for (const leave of [
      (person: Person) => people.remove(owner, project, person),
      (person: Person) => people.remove(person, project, person),
      (person: Person) => people.setRole(owner, project, person, 'viewer'),
    ]) {
      const member = await people.join(project, 'member');
      const { body: key } = await people.makeKey(member, project);
      const { body: own } = await people.ask<MadeKey>(member, 'POST', 'tokens', { name: newId() });
      await leave(member);
      await expect.poll(() => announced.includes(sha256(key.key))).toBe(true);
      expect([await isDisabled(key), await isDisabled(own)]).toEqual([true, false]);
      const change = await people.ask(member, 'PATCH', `tokens/${key.id}`, { disabled: false });
      expect([403, 404]).toContain(change.status);
      expect([403, 404]).toContain((await people.makeKey(member, project)).status);
    }
    const [last] = await listAudit(project.id);
    expect(last).toMatchObject({
      action: 'project.set_member',
      before: { member: { role: 'member' } },
      after: { member: { role: 'viewer' }, disabled_tokens: [expect.any(String)] },
    });
  });

  it('leaves no key behind by making or enabling some meanwhile', async () => {
    const member = await people.join(project, 'member');
    const { body: key } = await people.makeKey(member, project, { disabled: true });
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => people.makeKey(member, project)),
      ...Array.from({ length: 4 }, () =>
        people.ask(member, 'PATCH', `tokens/${key.id}`, { disabled: false }),
      ),
      people.remove(owner, project, member),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const [{ enabled }] = await bed.database.query(
      'select count(*)::integer as enabled from token where user_id = $1 and wallet_id = $2 and not disabled',
      [member.id, project.wallet_id],
    );
    expect(enabled).toBe(0);
  });

  it('is let in by administrators alone; owners change whom they have', async () => {
    const person = await people.makePerson();
    expect((await people.setRole(owner, project, person, 'member')).status).toBe(404);
    expect((await people.setRole(people.admin, project, person, 'member')).status).toBe(200);
    expect((await people.setRole(owner, project, person, 'viewer')).status).toBe(200);
    expect((await people.setRole(people.admin, project, { ...person, id: newId() }, 'member')).status).toBe(
      404,
    );
  });

  it('who is the last owner stays one, unless an administrator says otherwise', async () => {
    const other = await people.makeProject(newId());
    const last = await people.join(other, 'owner');
    for (const refused of [
      await people.remove(last, other, last),
      await people.setRole(last, other, last, 'member'),
    ]) {
      expect(refused.status).toBe(409);
    }
    const second = await people.join(other, 'owner');
    const both = await Promise.all([people.remove(last, other, second), people.remove(second, other, last)]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([204, 204]);
    expect((await people.remove(people.admin, other, last)).status).toBeLessThan(500);
  });

  it(`is one of ${MOST_MEMBERS} at most`, async () => {
    const full = await people.makeProject(newId());
    await bed.database.query(
      `with made as (
         insert into app_user (id, email, name, password_hash, role, disabled, token_version)
         select gen_random_uuid(), 'many-' || n || '@example.com', '', '', 'member', false, 0
           from generate_series(1, $2::integer) as n returning id
       ) insert into project_member select $1, id, 'member' from made`,
      [full.id, MOST_MEMBERS],
    );
    const person = await people.makePerson();
    expect((await people.setRole(people.admin, full, person, 'member')).status).toBe(409);
  });

  it('who was an administrator keeps the keys of the projects that they are in', async () => {
    const second = await people.makePerson('administrator');
    await people.setRole(people.admin, project, second, 'member');
    const other = await people.makeProject(newId());
    const { body: kept } = await people.makeKey(second, project);
    const { body: lost } = await people.makeKey(second, other);
    await people.ask(people.admin, 'PATCH', `users/${second.id}`, { role: 'member' });
    expect([await isDisabled(kept), await isDisabled(lost)]).toEqual([false, true]);
  });
});
