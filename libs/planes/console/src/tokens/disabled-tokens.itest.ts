import { newId } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestBed, type TestBed } from '../testing/open-test-console.js';
import { type MadeKey, type MadeProject, type Person, ProjectPeople } from '../testing/project-people.js';

let bed: TestBed;
let people: ProjectPeople;
let project: MadeProject;
let owner: Person;
let member: Person;

beforeAll(async () => {
  bed = await makeTestBed();
  people = await ProjectPeople.over(bed, await bed.open());
  project = await people.makeProject('the project');
  owner = await people.join(project, 'owner');
  member = await people.join(project, 'member');
});

afterAll(() => bed.stop());

const setDisabled = (by: Person, key: MadeKey, disabled: boolean) =>
  people.ask<{ disabled: boolean; disabled_by: string | null; detail?: { param: string; message: string } }>(
    by,
    'PATCH',
    `tokens/${key.id}`,
    { disabled },
  );

const makeOwnKey = async (by: Person) =>
  (await people.ask<MadeKey>(by, 'POST', 'tokens', { name: newId() })).body;
const makeProjectKey = async (by: Person) => (await people.makeKey(by, project)).body;

describe('a key that somebody has disabled', () => {
  it('is enabled again by its user, where that is who did so', async () => {
    for (const key of [await makeOwnKey(member), await makeProjectKey(member)]) {
      expect((await setDisabled(member, key, true)).body).toMatchObject({
        disabled: true,
        disabled_by: 'user',
      });
      expect((await setDisabled(member, key, false)).body).toMatchObject({
        disabled: false,
        disabled_by: null,
      });
    }
  });

  it('stays disabled for its user and for owners, where that was an administrator', async () => {
    const ofProject = await makeProjectKey(member);
    const own = await makeOwnKey(member);
    for (const [key, person] of [
      [ofProject, member],
      [ofProject, owner],
      [own, member],
    ] as const) {
      expect((await setDisabled(people.admin, key, true)).body.disabled_by).toBe('administrator');
      const { status, body } = await setDisabled(person, key, false);
      expect([status, body.detail]).toMatchObject([
        403,
        {
          param: 'disabled',
          message: 'disabled: an administrator has disabled this key: only administrators enable it again.',
        },
      ]);
      // Disabling it once more makes it nobody else's, and no key of its own comes of a new text.
      expect((await setDisabled(person, key, true)).body.disabled_by).toBe('administrator');
      const rotated = await people.ask<{ disabled: boolean }>(person, 'POST', `tokens/${key.id}/rotate`);
      expect(rotated.body.disabled).toBe(true);
      expect((await setDisabled(person, key, false)).status).toBe(403);
      expect((await setDisabled(people.admin, key, false)).body).toMatchObject({ disabled: false });
    }
  });

  it('stays disabled for its user where that was an owner of the project', async () => {
    const key = await makeProjectKey(member);
    expect((await setDisabled(owner, key, true)).body.disabled_by).toBe('owner');
    const refused = await setDisabled(member, key, false);
    expect([refused.status, refused.body.detail?.message]).toEqual([
      403,
      'disabled: an owner has disabled this key: only owners and administrators enable it again.',
    ]);
    const second = await people.join(project, 'owner');
    expect((await setDisabled(second, key, false)).status).toBe(200);
  });

  it('may be changed otherwise by its user meanwhile', async () => {
    const key = await makeProjectKey(member);
    await setDisabled(people.admin, key, true);
    const { status } = await people.ask(member, 'PATCH', `tokens/${key.id}`, {
      name: newId(),
      disabled: true,
    });
    expect(status).toBe(200);
  });

  it('is theirs to enable where who disabled it is not known, as in a version before', async () => {
    const key = await makeOwnKey(member);
    await bed.database.query('update token set disabled = true where id = $1', [key.id]);
    expect((await setDisabled(member, key, false)).status).toBe(200);
  });

  it('was made so by an administrator', async () => {
    const { body: key } = await people.makeKey(people.admin, project, { user_id: member.id, disabled: true });
    expect((await setDisabled(member, key, false)).status).toBe(403);
  });
});
