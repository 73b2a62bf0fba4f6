import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { waitUntil } from '../wait-until.js';
import {
  type ExpectedView,
  NOTHING_AWAY,
  type Start,
  STARTED_WHILE_AWAY,
  WHILE_AWAY,
} from './expected-views.js';
import { lookAround, openSession, seeReadiness, type Session, type View } from './read-views.js';
import { openStream } from './open-stream.js';
import { type Dependency, type OutageFleet, type Plane, PLANES, startOutageFleet } from './outage-fleet.js';

/** A look is twenty requests, a login and an order of a video among them. */
const BETWEEN_LOOKS_MS = 500;
/** A gateway says that it is cut off when billing has been silent for 12 s. */
const NOTICED_WITHIN_MS = 40_000;
const RECOVERED_WITHIN_MS = 60_000;
/** Two outages and two recoveries. */
const TIMEOUT_MS = 300_000;
const SCALER = new URL('../../../deploy/k8s/overlays/production/video-worker-scaler.yaml', import.meta.url);

let fleet: OutageFleet;
let session: Session;
beforeAll(async () => {
  fleet = await startOutageFleet();
  session = await openSession(fleet);
});
afterAll(() => fleet.stop());

/** Looks around until everything is as expected; the last view is compared when it never is. */
async function seeAround(expected: ExpectedView, withinMs: number): Promise<void> {
  const wanted = { ready: expected.ready, answers: expected.answers };
  let view: View | undefined;
  await waitUntil(
    'what is expected',
    async () => {
      view = await lookAround(fleet, session);
      return isDeepStrictEqual({ ready: view.ready, answers: view.answers }, wanted);
    },
    withinMs,
    BETWEEN_LOOKS_MS,
  ).catch(() => undefined);
  expect(view).toMatchObject(wanted);
}

async function recover(): Promise<void> {
  await fleet.waitUntilReady();
  await seeAround(NOTHING_AWAY, RECOVERED_WITHIN_MS);
  await waitUntil(
    'every task has ended and nothing is held',
    async () => {
      const [row] = await fleet.query<{ tasks: string; holds: string }>(
        `select (select count(*) from task where finished_at is null) as tasks,
                (select count(*) from hold where state = 'open') as holds`,
      );
      return row?.tasks === '0' && row.holds === '0';
    },
    RECOVERED_WITHIN_MS,
  );
  expect(await fleet.query('select * from money_drift()')).toEqual([]);
}

async function seeStart(plane: Plane, away: Dependency): Promise<Start | undefined> {
  if (fleet.listEnded().includes(plane)) return 'ends';
  const ready = await seeReadiness(fleet);
  if (ready[plane] === '200') return 'serves';
  return ready[plane] === WHILE_AWAY[away].ready[plane] ? 'waits' : undefined;
}

/** Planes have just been started while something is away: each ends with a sentence, waits or serves. */
async function expectStarts(away: keyof typeof STARTED_WHILE_AWAY): Promise<void> {
  const expected: Readonly<Partial<Record<Plane, Start>>> = STARTED_WHILE_AWAY[away];
  const planes = Object.keys(expected) as Plane[];
  const found = new Map<Plane, Start | undefined>();
  await waitUntil(
    'the planes have made up their minds',
    async () => {
      for (const plane of planes) found.set(plane, await seeStart(plane, away));
      return isDeepStrictEqual(Object.fromEntries(found), expected);
    },
    RECOVERED_WITHIN_MS,
  ).catch(() => undefined);
  expect(Object.fromEntries(found)).toEqual(expected);
  const ended = planes.filter((plane) => expected[plane] === 'ends');
  for (const plane of ended) expect(fleet.readOutput(plane)).toContain(`${plane} cannot run: `);
}

describe('while the planes run', () => {
  it.each(Object.entries(WHILE_AWAY) as [Dependency, ExpectedView][])(
    'without %s they say so, keep what runs and recover by themselves',
    async (dependency, expected) => {
      const stream = await openStream(fleet.gatewayUrl);
      await fleet.takeAway(dependency);
      await seeAround(expected, NOTICED_WITHIN_MS);
      const { alive } = await lookAround(fleet, session);
      const dead = Object.keys(alive).filter((plane) => alive[plane as Plane] !== '200');
      expect(dead).toEqual(dependency === 'billing' ? ['billing'] : []);

      const read = stream.text.length;
      await waitUntil('the stream goes on or ends', () => stream.isOver || stream.text.length > read);
      expect(stream.isOver).toBe(expected.stream !== 'goes on');
      expect(stream.text.includes('upstream_error')).toBe(stream.isOver);
      stream.leave();

      await fleet.bringBack(dependency);
      await recover();
    },
    TIMEOUT_MS,
  );
});

describe('planes that are stopped', () => {
  const countUsageRows = async () => {
    const [row] = await fleet.query<{ count: string }>(
      `select count(*) from usage_journal where phase = 'usage'`,
    );
    return Number(row?.count);
  };
  const endAll = async () =>
    new Map(await Promise.all(PLANES.map(async (plane) => [plane, await fleet.end(plane)] as const)));
  const startAll = () => Promise.all(PLANES.map((plane) => fleet.restart(plane)));
  /** Starts what has ended, as a supervisor does. */
  const superviseUntilReady = () =>
    waitUntil(
      'every plane is ready',
      async () => {
        await Promise.all(fleet.listEnded().map((plane) => fleet.restart(plane as Plane)));
        return Object.values(await seeReadiness(fleet)).every((status) => status === '200');
      },
      RECOVERED_WITHIN_MS,
    );

  it(
    'in the moment in which Redis goes end in time, with code 0 and without losing usage; started without it, or without billing, they end, wait or serve',
    async () => {
      const writtenBefore = await countUsageRows();
      const stream = await openStream(fleet.gatewayUrl);
      const [, ends] = await Promise.all([fleet.takeAway('redis'), endAll()]);
      expect([...ends].map(([plane, { code }]) => [plane, code])).toEqual(PLANES.map((plane) => [plane, 0]));
      stream.leave();
      expect(await countUsageRows()).toBeGreaterThan(writtenBefore);
      await startAll();
      await expectStarts('redis');
      await fleet.bringBack('redis');
      // Billing is the one that has ended.
      await Promise.all(PLANES.filter((plane) => plane !== 'billing').map((plane) => fleet.restart(plane)));
      await expectStarts('billing');
      await superviseUntilReady();
      await recover();
    },
    TIMEOUT_MS,
  );

  it(
    'F3: while Postgres and Redis are away end in time, with code 0, and a gateway leaves its usage to its next start; started without Postgres they end',
    async () => {
      const stream = await openStream(fleet.gatewayUrl);
      await Promise.all([fleet.takeAway('redis'), fleet.takeAway('postgres')]);
      const ends = await endAll();
      expect([...ends].map(([plane, { code }]) => [plane, code])).toEqual(PLANES.map((plane) => [plane, 0]));
      expect(ends.get('gateway')?.output).toMatch(/\d+ usage rows wait in the spool/);
      stream.leave();
      await fleet.bringBack('redis');
      await startAll();
      await expectStarts('postgres');
      await fleet.bringBack('postgres');
      await superviseUntilReady();
      expect(fleet.readOutput('gateway')).toContain('left in the spool has been written');
      await recover();
    },
    TIMEOUT_MS,
  );
});

describe('docs/operations.md', () => {
  const text = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

  it('names only questions that Postgres understands', async () => {
    const questions = [...text.matchAll(/`(select [^`]+)`/g)].map(([, question]) => question ?? '');
    expect(questions.length).toBeGreaterThan(3);
    for (const question of questions) expect(await fleet.query(question)).toEqual(expect.any(Array));
  });
});

describe('the scaler of the video worker', () => {
  it('counts the tasks that are due', async () => {
    const [scaled] = parseAllDocuments(readFileSync(SCALER, 'utf8'))
      .map(
        (document) =>
          document.toJS() as { kind: string; spec: { triggers?: { metadata: { query: string } }[] } },
      )
      .filter(({ kind }) => kind === 'ScaledObject');
    const query = scaled?.spec.triggers?.[0]?.metadata.query ?? '';
    await waitUntil(
      'nothing is due any more',
      async () => isDeepStrictEqual(await fleet.query(query), [{ count: '0' }]),
      RECOVERED_WITHIN_MS,
    );
    await fleet.takeAway('redis');
    await fleet.query(
      `update task set state = 'submitted', next_run_at = now() where public_id = '${session.taskId}'`,
    );
    expect(await fleet.query(query)).toEqual([{ count: '1' }]);
  });
});
