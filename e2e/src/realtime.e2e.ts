import { type NanoUsd, parseUsd } from '@mg/contract';
import { type FakeUpstream, watchSlowness } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { openTlsDoor, SdkSession, type TlsDoor } from './clients/realtime-client.js';
import { KEYS } from './deployment/credentials.js';
import { REALTIME_PRICE, TRANSCRIPTION_PRICE } from './deployment/small-configuration.js';
import { lineOf } from './expected-cost.js';
import { type Replica, type ReplicaFleet, withReplicaFleet } from './outages/replica-fleet.js';
import { waitUntil } from './wait-until.js';

const WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 120_000;
const MANY = 60;
const SECONDS_A_MINUTE = 60n;
/** Far more than an idle process needs, and far less than one whose event loop is held. */
const QUICK_MS = 1_000;
const TWO_WORKERS = { GATEWAY_WORKERS: '2', LOG_LEVEL: 'info' };

describe('realtime sessions by the official SDK', () => {
  it('are authenticated, charged by the provider’s meter, survive crowds and kills, and are drained', async () => {
    await withReplicaFleet(async (fleet) => {
      const gateway = await fleet.start('gateway', 'talks', TWO_WORKERS);
      const door = await openTlsDoor(gateway.url);
      await refuse(door);
      await chargeExactly(fleet, door);
      await transcribe(fleet, door);
      await serveMany(fleet, gateway, door);
      await drain(fleet, gateway, door);
      door.close();
      await loseTheGateway(fleet);
      expect(await fleet.query('select * from money_drift()')).toEqual([]);
    });
  }, 300_000);
});

async function refuse(door: TlsDoor): Promise<void> {
  const sessions = [
    new SdkSession(door, 'talk', 'sk-nobody-has-this-key'),
    new SdkSession(door, 'nobody', KEYS.main),
    new SdkSession(door, 'plain', KEYS.main),
  ];
  await waitUntil('all are refused', () => sessions.every(({ errors }) => errors.length > 0), WITHIN_MS);
  expect(sessions.map(({ errors }) => errors[0])).toEqual([
    'Unexpected server response: 401',
    'Unexpected server response: 404',
    'Unexpected server response: 404',
  ]);
}

async function chargeExactly(fleet: ReplicaFleet, door: TlsDoor): Promise<void> {
  const session = await open(door, 'talk');
  session.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello?' }] },
  });
  session.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) });
  session.send({ type: 'input_audio_buffer.commit' });
  for (let response = 1; response <= 3; response++) {
    session.send({ type: 'response.create' });
    await waitUntil('it is answered', () => session.count('response.done') === response, WITHIN_MS);
  }
  session.close();
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  expect(await sumCharges(fleet)).toBe(costOfMeter(fleet.upstream));
  // The session, whose row is written last, its responses, and what was refused before.
  const rows = await waitUntil(
    'all of it is in the log',
    async () => {
      const found = await readLog(fleet);
      return found.length >= 6 && found;
    },
    WITHIN_MS,
  );
  expect(rows.map(({ status }) => status)).toEqual([101, 200, 200, 200, 404, 404]);
  expect(session.errors).toEqual([]);
}

/** A session that only transcribes, of a client that waits to hear that it is there. */
async function transcribe(fleet: ReplicaFleet, door: TlsDoor): Promise<void> {
  const session = await open(door, undefined);
  session.send({
    type: 'session.update',
    session: { type: 'transcription', audio: { input: { transcription: { model: 'write' } } } },
  });
  session.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) });
  session.send({ type: 'input_audio_buffer.commit' });
  const completed = 'conversation.item.input_audio_transcription.completed';
  await waitUntil('it is transcribed', () => session.count(completed) === 1, WITHIN_MS);
  session.close();
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  expect(fleet.upstream.sessions.flatMap(({ transcribed }) => transcribed)).toEqual([2]);
  expect(await sumCharges(fleet)).toBe(costOfMeter(fleet.upstream));
  expect([session.count('session.created'), session.errors]).toEqual([1, []]);
}

/** Sessions on both workers, each with a response. */
async function serveMany(fleet: ReplicaFleet, gateway: Replica, door: TlsDoor): Promise<void> {
  const sessions = Array.from({ length: MANY }, () => new SdkSession(door, 'talk', KEYS.main));
  await waitUntil(
    'all are open',
    () => sessions.every((one) => one.count('session.created') === 1),
    WITHIN_MS,
  );
  for (const session of sessions) session.send({ type: 'response.create' });
  const answered = waitUntil(
    'all are answered',
    () => sessions.every((one) => one.count('response.done') === 1),
    WITHIN_MS,
  );
  const readSlowness = watchSlowness();
  expect(await askHealth(gateway)).toBeLessThan(QUICK_MS * readSlowness());
  await answered;
  for (const session of sessions) session.close();
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  expect(await sumCharges(fleet)).toBe(costOfMeter(fleet.upstream));
}

async function drain(fleet: ReplicaFleet, gateway: Replica, door: TlsDoor): Promise<void> {
  const idle = await open(door, 'talk');
  const busy = await open(door, 'talk-on');
  busy.send({ type: 'response.create' });
  await waitUntil('it is being answered', () => busy.count('response.output_audio.delta') === 1, WITHIN_MS);
  const stopping = gateway.process.stop();
  await waitUntil('the idle session is closed', () => idle.closed === 1012, WITHIN_MS);
  expect(busy.closed).toBeUndefined();
  endResponse(fleet.upstream, busy);
  await waitUntil('the other is, once it is answered', () => busy.closed === 1012, WITHIN_MS);
  expect(busy.count('response.done')).toBe(1);
  expect(await stopping).toBe(0);
  await fleet.expectSettled(SETTLED_WITHIN_MS);
}

/** What a killed gateway had noted of a response is charged, also where none of its name comes back: another one lives. */
async function loseTheGateway(fleet: ReplicaFleet): Promise<void> {
  const gateway = await fleet.start('gateway', 'talks');
  await fleet.start('gateway', 'lives');
  const door = await openTlsDoor(gateway.url);
  const session = await open(door, 'talk-on');
  session.send({ type: 'response.create' });
  await waitUntil(
    'it is being answered',
    () => session.count('response.output_audio.delta') === 1,
    WITHIN_MS,
  );
  const { response } = session.events.find(({ type }) => type === 'response.created') as unknown as {
    response: { id: string };
  };
  const upstream = fleet.upstream.sessions.at(-1);
  await waitUntil(
    'a checkpoint is written',
    async () => {
      upstream?.say('response.output_text.delta', { response_id: response.id, delta: 'and so on ' });
      return (await fleet.query(`select from usage_journal where phase = 'checkpoint'`)).length > 0;
    },
    WITHIN_MS,
  );
  await gateway.process.kill();
  door.close();
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  const rows = await fleet.query<{ cost: string }>(
    `select cost from request_log where reason = 'gateway_lost'`,
  );
  expect(rows).toHaveLength(1);
  expect(BigInt(rows[0]?.cost ?? 0)).toBeGreaterThan(0n);
}

async function open(door: TlsDoor, model: string | undefined): Promise<SdkSession> {
  const session = new SdkSession(door, model, KEYS.main);
  await waitUntil('the session is open', () => session.count('session.created') === 1, WITHIN_MS);
  return session;
}

/** The provider ends the response that it holds back. */
function endResponse(upstream: FakeUpstream, session: SdkSession): void {
  const { response } = session.events.find(({ type }) => type === 'response.created') as unknown as {
    response: { id: string };
  };
  const usage = { input_tokens: 20, output_tokens: 10 };
  upstream.sessions
    .at(-1)
    ?.say('response.done', { response: { id: response.id, status: 'completed', usage } });
}

async function askHealth({ url }: Replica): Promise<number> {
  const beganMs = performance.now();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  return performance.now() - beganMs;
}

/** All that was charged, in nano-dollars. */
async function sumCharges(fleet: ReplicaFleet): Promise<NanoUsd> {
  const [row] = await fleet.query<{ sum: string }>(
    `select coalesce(-sum(amount), 0)::text as sum from entry where wallet_id is not null and kind = 'charge'`,
  );
  return BigInt(row?.sum ?? 0);
}

function readLog(fleet: ReplicaFleet): Promise<{ status: number }[]> {
  return fleet.query('select status from request_log order by status');
}

function costOfMeter({ sessions }: FakeUpstream): NanoUsd {
  const { audio_input_per_million: heard, audio_output_per_million: said } = REALTIME_PRICE;
  const billed = sessions.flatMap((session) => session.billed);
  const seconds = sessions.flatMap(({ transcribed }) => transcribed).reduce((sum, one) => sum + one, 0);
  const written = (parseUsd(TRANSCRIPTION_PRICE) * BigInt(seconds)) / SECONDS_A_MINUTE;
  return billed.reduce(
    (sum, { textIn, audioIn, cached, textOut, audioOut }) =>
      sum +
      lineOf(textIn - cached, REALTIME_PRICE.input_per_million) +
      lineOf(cached, REALTIME_PRICE.cached_input_per_million) +
      lineOf(audioIn, heard) +
      lineOf(textOut, REALTIME_PRICE.output_per_million) +
      lineOf(audioOut, said),
    written,
  );
}
