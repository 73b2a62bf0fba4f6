import { newId } from '@mg/contract';
import { TaskLedger } from '@mg/persistence/billing';
import { buildTaskRequest } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestBed, type TestBed } from './testing/open-test-console.js';
import { type MadeKey, type MadeProject, type Person, ProjectPeople } from './testing/project-people.js';
import { GOOD_BODIES, ROUTE_RULES } from './testing/route-rules.js';

const ROLES = ['outsider', 'viewer', 'member', 'owner', 'administrator'] as const;
type Role = (typeof ROLES)[number];

/** What there is in each of two projects: a key of the member and one of the owner, each with a call and a video task. */
interface Tenant {
  readonly project: MadeProject;
  readonly people: Readonly<Record<Role, Person>>;
  /** A viewer whom owners do something to. */
  readonly guest: Person;
  readonly keys: Readonly<Record<'member' | 'owner', MadeKey>>;
  readonly calls: Readonly<Record<'member' | 'owner', string>>;
  readonly tasks: Readonly<Record<'member' | 'owner', string>>;
}

let bed: TestBed;
let people: ProjectPeople;
let red: Tenant;
let blue: Tenant;

async function makeTask({ id: tokenId, wallet_id: walletId, user_id: userId }: MadeKey): Promise<string> {
  const [price] = await bed.database.query('select id from price_version limit 1');
  const task = buildTaskRequest(
    { userId, tokenId, walletId, model: 'a-model', priceVersionId: price.id },
    { hold: { wanted: 0n, minimum: 0n } },
  );
  await new TaskLedger(bed.database).openTask(task);
  return task.task.id;
}

async function makeTenant(name: string): Promise<Tenant> {
  const project = await people.makeProject(name);
  const [outsider, viewer, member, owner] = [
    await people.makePerson(),
    await people.join(project, 'viewer'),
    await people.join(project, 'member'),
    await people.join(project, 'owner'),
  ];
  const keys = {
    member: (await people.makeKey(member, project)).body,
    owner: (await people.makeKey(owner, project)).body,
  };
  return {
    project,
    people: { outsider, viewer, member, owner, administrator: people.admin },
    guest: await people.join(project, 'viewer'),
    keys,
    calls: {
      member: await people.logCall(keys.member, { userId: member.id }),
      owner: await people.logCall(keys.owner, { userId: owner.id }),
    },
    tasks: { member: await makeTask(keys.member), owner: await makeTask(keys.owner) },
  };
}

beforeAll(async () => {
  bed = await makeTestBed();
  people = await ProjectPeople.over(bed, await bed.open());
  red = await makeTenant('red');
  blue = await makeTenant('blue');
});

afterAll(() => bed.stop());

/** Statuses by role, in the order of `ROLES`. `{...}` are filled in from a tenant. */
type Rule = readonly [outsider: number, viewer: number, member: number, owner: number, administrator: number];

const RULES: Readonly<Record<string, Rule>> = {
  'GET projects/{project}': [404, 200, 200, 200, 200],
  'PATCH projects/{project}': [404, 403, 403, 200, 200],
  'GET projects/{project}/members': [404, 200, 200, 200, 200],
  'PUT projects/{project}/members/{guest}': [404, 403, 403, 200, 200],
  'GET wallets/{wallet}': [404, 404, 404, 200, 200],
  'GET wallets/{wallet}/entries': [404, 404, 404, 200, 200],
  'GET wallets/{wallet}/entries.csv': [404, 404, 404, 200, 200],
  'GET wallets/{wallet}/budgets': [404, 404, 404, 200, 200],
  'PATCH wallets/{wallet}': [403, 403, 403, 403, 200],
  'GET tokens?project_id={project}': [404, 200, 200, 200, 200],
  'GET logs?project_id={project}': [404, 200, 200, 200, 200],
  'GET logs.csv?project_id={project}': [404, 200, 200, 200, 200],
  'GET tasks?project_id={project}': [404, 200, 200, 200, 200],
  'GET usage?project_id={project}&group_by=model': [404, 200, 200, 200, 200],
  'GET usage?project_id={project}&group_by=user': [403, 200, 403, 200, 200],
  'GET usage?project_id={project}&group_by=channel': [403, 403, 403, 403, 200],
  'GET usage/series?project_id={project}': [404, 200, 200, 200, 200],
  'GET tokens/{key of member}': [404, 200, 200, 200, 200],
  'GET tokens/{key of owner}': [404, 200, 404, 200, 200],
  'GET tokens/{key of owner}/budgets': [404, 200, 404, 200, 200],
  'PATCH tokens/{key of member}': [404, 403, 200, 200, 200],
  'PATCH tokens/{key of owner}': [404, 403, 404, 200, 200],
  'GET logs/{call of member}': [404, 200, 200, 200, 200],
  'GET logs/{call of owner}': [404, 200, 404, 200, 200],
  'GET tasks/{task of member}': [404, 200, 200, 200, 200],
  'GET tasks/{task of owner}': [404, 200, 404, 200, 200],
  'GET captures/{call of member}': [403, 403, 403, 403, 404],
  'GET projects/{project}/captures': [404, 404, 404, 404, 404],
  'GET projects/{project}/invitations': [404, 403, 403, 200, 200],
  'POST projects/{project}/invitations': [404, 403, 403, 201, 201],
  'GET projects/{project}/groups': [403, 403, 403, 403, 200],
  'PUT projects/{project}/groups': [403, 403, 403, 403, 200],
  'DELETE projects/{project}/invitations/{guest}': [404, 403, 403, 404, 404],
  'DELETE projects/{project}/members/{guest}': [404, 403, 403, 204, 204],
  'POST tokens/{key of member}/rotate': [404, 403, 200, 200, 200],
  'POST tokens/{key of owner}/rotate': [404, 403, 404, 200, 200],
  'DELETE tokens/{key of owner}': [404, 403, 404, 204, 204],
  'DELETE projects/{project}': [403, 403, 403, 403, 204],
};

const BODIES: Readonly<Record<string, Record<string, unknown>>> = {
  'POST projects/{project}/invitations': { role: 'member' },
  'PATCH tokens/{key of member}': { cache: '60s' },
  'PATCH tokens/{key of owner}': { cache: '60s' },
  'PATCH wallets/{wallet}': { credit_limit: '0' },
  'PUT projects/{project}/members/{guest}': { role: 'viewer' },
  'PUT projects/{project}/groups': { data: [{ value: 'team', role: 'member' }] },
};

function fill(path: string, { project, guest, keys, calls, tasks }: Tenant): string {
  return path
    .replace('{project}', project.id)
    .replace('{wallet}', project.wallet_id)
    .replace('{guest}', guest.id)
    .replace('{key of member}', keys.member.id)
    .replace('{key of owner}', keys.owner.id)
    .replace('{call of member}', calls.member)
    .replace('{call of owner}', calls.owner)
    .replace('{task of member}', tasks.member)
    .replace('{task of owner}', tasks.owner);
}

async function ask(by: Person, rule: string, tenant: Tenant) {
  const [method = '', path = ''] = [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)];
  const body = BODIES[rule] ?? (method === 'PATCH' ? { name: newId() } : undefined);
  return people.ask(by, method, fill(path, tenant), body);
}

describe('two projects', () => {
  it('have a rule for every route of a project', () => {
    const routes = Object.keys(ROUTE_RULES).filter((route) => route.includes('/projects/{id}'));
    const ruled = Object.keys(RULES).map((rule) =>
      rule
        .replace(' projects/{project}', ' /api/v1/projects/{id}')
        .replace('invitations/{guest}', 'invitations/{invitation_id}')
        .replace('{guest}', '{user_id}'),
    );
    expect(routes.filter((route) => !ruled.includes(route))).toEqual([]);
    expect(Object.keys(GOOD_BODIES)).toContain('PUT /api/v1/projects/{id}/members/{user_id}');
  });

  it('show nobody of the other what is in one, as if it were not there', async () => {
    for (const rule of Object.keys(RULES)) {
      for (const role of ['viewer', 'member', 'owner'] as const) {
        const answer = await ask(red.people[role], rule, blue);
        // What is for administrators is a 403 whatever there is.
        expect([403, 404], `${role}: ${rule}`).toContain(answer.status);
        expect(answer.text).not.toContain(blue.project.wallet_id);
      }
    }
  });

  it('list to each who is in one what their role shows', async () => {
    for (const role of ['outsider', 'viewer', 'member', 'owner'] as const) {
      const { body } = await people.ask<{ data: { name: string; role: string }[] }>(
        red.people[role],
        'GET',
        'projects',
      );
      expect(body.data.map(({ name, role: mine }) => [name, mine])).toEqual(
        role === 'outsider' ? [] : [['red', role]],
      );
    }
    for (const list of ['tokens', 'logs', 'logs.csv', 'tasks', 'usage?group_by=token']) {
      for (const role of ['outsider', 'viewer', 'member', 'owner'] as const) {
        const { text } = await people.ask(red.people[role], 'GET', list);
        const sees = (of: 'member' | 'owner') =>
          [red.keys[of].id, red.calls[of], red.tasks[of]].some((id) => text.includes(id));
        expect([role, list, sees('member'), sees('owner')]).toEqual([
          role,
          list,
          role !== 'outsider',
          role === 'viewer' || role === 'owner',
        ]);
        const foreign = [...Object.values(blue.keys).map(({ id }) => id), ...Object.values(blue.calls)];
        expect(foreign.filter((id) => text.includes(id))).toEqual([]);
        expect(text).not.toContain('key_hash');
      }
    }
  });

  it('count to each the calls that they see, and filter by user among those', async () => {
    const count = async (role: Role, query: string) => {
      const { body } = await people.ask<{ data: { calls: number }[] }>(red.people[role], 'GET', query);
      return body.data.reduce((sum, { calls }) => sum + calls, 0);
    };
    const list = async (role: Role, query: string) =>
      (await people.ask<{ data: unknown[] }>(red.people[role], 'GET', query)).body.data.length;
    for (const [role, calls] of [
      ['outsider', 0],
      ['viewer', 2],
      ['member', 1],
      ['owner', 2],
      ['administrator', 4],
    ] as const) {
      expect([role, await count(role, 'usage?group_by=all')]).toEqual([role, calls]);
      expect([role, await count(role, 'usage/series?bucket=hour')]).toEqual([role, calls]);
      if (role === 'outsider') continue;
      const inProject = `project_id=${red.project.id}`;
      expect(await count(role, `usage?group_by=all&${inProject}`)).toBe(Math.min(calls, 2));
      expect(await list(role, `logs?${inProject}`)).toBe(Math.min(calls, 2));
      expect(await list(role, `logs?${inProject}&sort=cost`)).toBe(Math.min(calls, 2));
      expect(await list(role, `logs?user_id=${red.people.owner.id}`)).toBe(role === 'member' ? 0 : 1);
      expect(await list(role, `logs?user_id=${red.people.member.id}&model=a-model`)).toBe(1);
      expect(await list(role, `tokens?user_id=${red.people.owner.id}`)).toBe(role === 'member' ? 0 : 1);
      expect(await list(role, `tokens?user_id=${red.people.member.id}`)).toBe(1);
      const ofOwner = `tokens?${inProject}&user_id=${red.people.owner.id}`;
      expect(await list(role, ofOwner)).toBe(role === 'member' ? 0 : 1);
    }
    const byProject = await people.ask<{ data: { label: string; calls: number }[] }>(
      people.admin,
      'GET',
      'usage?group_by=project',
    );
    expect(byProject.body.data.map(({ label, calls }) => [label, calls]).sort()).toEqual([
      ['blue', 2],
      ['red', 2],
    ]);
  });

  it('show members to owners and viewers, and themselves to members', async () => {
    const listed = async (role: Role) =>
      (
        await people.ask<{ data: { role: string }[] }>(
          red.people[role],
          'GET',
          `projects/${red.project.id}/members`,
        )
      ).body.data
        .map((member) => member.role)
        .sort();
    expect(await listed('owner')).toEqual(['member', 'owner', 'viewer', 'viewer']);
    expect(await listed('viewer')).toEqual(['member', 'owner', 'viewer', 'viewer']);
    expect(await listed('member')).toEqual(['member']);
  });

  // Last, and in this order: what deletes comes after what reads.
  it.each(Object.entries(RULES))(
    '%s is for the roles of its own project that it says',
    async (rule, statuses) => {
      for (const [at, role] of ROLES.entries()) {
        if (isGone(rule, role)) continue;
        const { status } = await ask(red.people[role], rule, red);
        expect([role, status]).toEqual([role, statuses[at]]);
      }
    },
  );

  /** The owner has deleted it already, before the administrator. */
  function isGone(rule: string, role: Role): boolean {
    return role === 'administrator' && statusOf(rule, 'owner') === 204;
  }

  function statusOf(rule: string, role: Role): number | undefined {
    return RULES[rule]?.[ROLES.indexOf(role)];
  }
});
