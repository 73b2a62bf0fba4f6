import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import { type MadeProject, type Person, ProjectPeople } from '../testing/project-people.js';

const PASSWORD = 'a password of an invited user';

let bed: TestBed;
let console: OpenConsole;
let people: ProjectPeople;
let project: MadeProject;
let owner: Person;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  people = await ProjectPeople.over(bed, console);
  project = await people.makeProject('a project');
  owner = await people.join(project, 'owner');
});

afterAll(() => bed.stop());

interface Refused {
  readonly detail: { readonly code: string; readonly param?: string };
}

async function invite(by: Person, body: object = {}): Promise<{ id: string; token: string }> {
  const path = `projects/${project.id}/invitations`;
  const answer = await people.ask<{ id: string; token: string }>(by, 'POST', path, {
    role: 'member',
    ...body,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

const look = (token: string) =>
  console.call<Refused>('POST', '/api/v1/invitations/look', { body: { token } });

const accept = (by: Person, token: string) =>
  people.ask<{ project_id: string } & Refused>(by, 'POST', 'invitations/accept', { token });

const register = (token: string, email = `${newId()}@example.com`) =>
  console.call<{ access_token: string } & Refused>('POST', '/api/v1/invitations/register', {
    body: { token, email, name: 'Invited', password: PASSWORD },
  });

/** As if earlier attempts were of long ago. */
const forgetAttempts = () => bed.database.query('delete from console_attempt');

async function roleOf(session: string): Promise<string | undefined> {
  const { body } = await console.call<{ data: { role: string }[] }>('GET', '/api/v1/projects', { session });
  return body.data[0]?.role;
}

describe('an invitation', () => {
  it('says what it is to, to whoever has the link', async () => {
    const { token } = await invite(owner, { role: 'viewer', email: 'New@Example.com' });
    expect(await look(token)).toMatchObject({
      status: 200,
      body: { project_name: 'a project', role: 'viewer', email: 'new@example.com' },
    });
    const stored = await bed.database.query('select token_hash from project_invitation');
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('lets somebody in who is signed in, once', async () => {
    const { token } = await invite(owner);
    const person = await people.makePerson();
    expect(await accept(person, token)).toMatchObject({ status: 200, body: { project_id: project.id } });
    expect(await roleOf(person.session)).toBe('member');
    for (const again of [
      await accept(await people.makePerson(), token),
      await register(token),
      await look(token),
    ]) {
      expect(again).toMatchObject({ status: 404, body: { detail: { param: 'token' } } });
    }
    await forgetAttempts();
  });

  it('makes a user, who is signed in at once and later by the password', async () => {
    const { token } = await invite(owner, { role: 'viewer' });
    const email = `${newId()}@example.com`;
    const { status, body } = await register(token, email);
    expect(status).toBe(201);
    expect(await roleOf(body.access_token)).toBe('viewer');
    const session = await console.login(email, PASSWORD);
    const me = await console.call('GET', '/api/v1/me', { session });
    expect(me.body).toMatchObject({ email, role: 'member' });
    const wallets = await console.call<{ data: { name: string }[] }>('GET', '/api/v1/wallets', { session });
    expect(wallets.body.data.map(({ name }) => name)).toEqual([email]);
  });

  it('makes one user, however many ask at once', async () => {
    const { token } = await invite(owner);
    const answers = await Promise.all(Array.from({ length: 4 }, () => register(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404]);
    const [{ invited }] = await bed.database.query(
      `select count(*)::integer as invited from app_user where name = 'Invited'`,
    );
    expect(invited).toBe(2);
    await forgetAttempts();
  });

  it('for an address is for nobody else', async () => {
    const email = `${newId()}@example.com`;
    const { token } = await invite(owner, { email });
    expect((await accept(await people.makePerson(), token)).status).toBe(403);
    expect(await register(token)).toMatchObject({ status: 400, body: { detail: { param: 'email' } } });
    expect((await register(token, email.toUpperCase())).status).toBe(201);
  });

  it('makes no user of an address that there is, and stays good', async () => {
    const { token } = await invite(owner);
    expect(await register(token, owner.email)).toMatchObject({
      status: 409,
      body: { detail: { param: 'email' } },
    });
    expect(await accept(owner, token)).toMatchObject({ status: 409 });
    expect((await look(token)).status).toBe(200);
    await forgetAttempts();
  });

  it('ends with its time, when it is taken back, and with the rights of whoever made it', async () => {
    const late = await invite(owner);
    await bed.database.query(`update project_invitation set expires_at = now() where id = $1`, [late.id]);
    const back = await invite(owner);
    const path = `projects/${project.id}/invitations/${back.id}`;
    expect((await people.ask(owner, 'DELETE', path)).status).toBe(204);
    expect((await people.ask(owner, 'DELETE', path)).status).toBe(404);
    const second = await people.join(project, 'owner');
    const byLost = await invite(second);
    await people.setRole(owner, project, second, 'member');
    for (const { token } of [late, back, byLost]) expect((await look(token)).status).toBe(404);
    const { body } = await people.ask<{ data: { id: string }[] }>(
      owner,
      'GET',
      `projects/${project.id}/invitations`,
    );
    const listed = body.data.map(({ id }) => id);
    expect([late, back, byLost].filter(({ id }) => listed.includes(id))).toEqual([]);
    await forgetAttempts();
  });

  it('is one of 50 open ones at most', async () => {
    const full = await people.makeProject(newId());
    const ask = () => people.ask(people.admin, 'POST', `projects/${full.id}/invitations`, { role: 'member' });
    for (let made = 0; made < 50; made += 1) expect((await ask()).status).toBe(201);
    expect((await ask()).status).toBe(409);
  });

  it('is not guessed: an address that tries links has to wait', async () => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 12; tried += 1) statuses.push((await look(newId())).status);
    expect(statuses.slice(0, 10).every((status) => status === 404)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    await forgetAttempts();
  });

  it('is in the audit log, without its secret', async () => {
    const { token } = await invite(owner);
    const person = await people.makePerson();
    await accept(person, token);
    const { text, body } = await people.ask<{ data: { action: string; actor_email: string }[] }>(
      people.admin,
      'GET',
      `audit?target_id=${project.id}&limit=2`,
    );
    expect(body.data.map(({ action, actor_email: by }) => [action, by])).toEqual([
      ['project.join', person.email],
      ['project.invite', owner.email],
    ]);
    expect(text).not.toContain(token);
  });

  it('that is revoked is in the audit log with whom it was for', async () => {
    const email = `${newId()}@example.com`;
    const { id } = await invite(owner, { email });
    await people.ask(owner, 'DELETE', `projects/${project.id}/invitations/${id}`);
    const { body } = await people.ask<{ data: { before: object }[] }>(
      people.admin,
      'GET',
      `audit?target_id=${project.id}&limit=1`,
    );
    expect(body.data[0]?.before).toMatchObject({ invitation: { id, email, role: 'member' } });
  });

  it('by an owner vouches for no address: single sign-on links nobody by it', async () => {
    const isClaimed = async (by: Person, email: string | null) => {
      const address = email ?? `${newId()}@example.com`;
      await register((await invite(by, { email })).token, address);
      const [row] = await bed.database.query('select email_claimed from app_user where email = $1', [
        address,
      ]);
      return row.email_claimed as boolean;
    };
    expect(await isClaimed(owner, 'by-owner@example.com')).toBe(true);
    expect(await isClaimed(people.admin, null)).toBe(true);
    expect(await isClaimed(people.admin, 'by-admin@example.com')).toBe(false);
  });
});
