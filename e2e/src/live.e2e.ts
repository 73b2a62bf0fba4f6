import { Modality } from '@google/genai';
import type { NanoUsd } from '@mg/contract';
import type { FakeUpstream } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { LiveSdkSession } from './clients/live-client.js';
import { KEYS } from './deployment/credentials.js';
import { REALTIME_PRICE } from './deployment/small-configuration.js';
import { lineOf } from './expected-cost.js';
import { type Replica, type ReplicaFleet, withReplicaFleet } from './outages/replica-fleet.js';
import { waitUntil } from './wait-until.js';

const WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 120_000;
const MANY = 50;
const TWO_WORKERS = { GATEWAY_WORKERS: '2', LOG_LEVEL: 'info' };

describe('sessions of the Live API by the official SDK', () => {
  it('are authenticated, charged by the provider’s meter, and drained', async () => {
    await withReplicaFleet(async (fleet) => {
      const gateway = await fleet.start('gateway', 'talks', TWO_WORKERS);
      await refuse(gateway);
      await chargeExactly(fleet, gateway);
      await callFunctions(fleet, gateway);
      await serveMany(fleet, gateway);
      await drain(fleet, gateway);
      expect(await fleet.query('select * from money_drift()')).toEqual([]);
    });
  }, 300_000);
});

async function refuse({ url }: Replica): Promise<void> {
  await expect(LiveSdkSession.open(url, 'sk-nobody-has-this-key', 'live')).rejects.toThrow('401');
  await expect(LiveSdkSession.open(url, KEYS.main, 'nobody')).rejects.toThrow(/1008.*model_not_found/);
  await expect(
    LiveSdkSession.open(url, KEYS.main, 'live', { sessionResumption: { handle: 'h' } }),
  ).rejects.toThrow(/1007.*setup\.sessionResumption/);
}

async function chargeExactly(fleet: ReplicaFleet, { url }: Replica): Promise<void> {
  const live = await LiveSdkSession.open(url, KEYS.main, 'live', {
    responseModalities: [Modality.AUDIO],
    outputAudioTranscription: {},
    systemInstruction: 'Be short.',
  });
  live.session.sendClientContent({ turns: 'Hello?' });
  await waitUntil('it is answered', () => live.turns === 1, WITHIN_MS);
  live.session.sendRealtimeInput({ audio: { data: 'A'.repeat(64_000), mimeType: 'audio/pcm;rate=16000' } });
  live.session.sendRealtimeInput({ audioStreamEnd: true });
  await waitUntil('speech is answered', () => live.turns === 2, WITHIN_MS);
  live.session.sendRealtimeInput({ text: 'And now?' });
  await waitUntil('text is answered', () => live.turns === 3, WITHIN_MS);
  expect(live.messages.some(({ data }) => data !== undefined)).toBe(true);
  live.session.close();
  await expectCharged(fleet);
  // The session, its turns, and what was refused before.
  const wanted = [101, 200, 200, 200, 400, 404].join();
  await waitUntil('all is logged', async () => (await readStatuses(fleet)).join() === wanted, WITHIN_MS);
}

async function readStatuses(fleet: ReplicaFleet): Promise<readonly number[]> {
  const rows = await fleet.query<{ status: number }>('select status from request_log order by status');
  return rows.map(({ status }) => status);
}

async function callFunctions(fleet: ReplicaFleet, { url }: Replica): Promise<void> {
  const live = await LiveSdkSession.open(url, KEYS.main, 'live-calls', {
    tools: [{ functionDeclarations: [{ name: 'look_up' }] }],
  });
  live.session.sendClientContent({ turns: 'Where am I?' });
  await waitUntil('a function is called', () => live.messages.some(({ toolCall }) => toolCall), WITHIN_MS);
  const [call] = live.messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? []);
  live.session.sendToolResponse({
    functionResponses: { id: call?.id ?? '', name: call?.name ?? '', response: { place: 'here' } },
  });
  await waitUntil('it is answered', () => live.turns === 1, WITHIN_MS);
  live.session.close();
  await expectCharged(fleet);
}

/** Sessions on both workers, each with a turn. */
async function serveMany(fleet: ReplicaFleet, { url }: Replica): Promise<void> {
  const sessions = await Promise.all(
    Array.from({ length: MANY }, () => LiveSdkSession.open(url, KEYS.main, 'live')),
  );
  for (const { session } of sessions) session.sendClientContent({ turns: 'Hello?' });
  await waitUntil('all are answered', () => sessions.every(({ turns }) => turns === 1), WITHIN_MS);
  for (const { session } of sessions) session.close();
  await expectCharged(fleet);
}

async function drain(fleet: ReplicaFleet, gateway: Replica): Promise<void> {
  const idle = await LiveSdkSession.open(gateway.url, KEYS.main, 'live');
  const busy = await LiveSdkSession.open(gateway.url, KEYS.main, 'live-on');
  busy.session.sendClientContent({ turns: 'Hello?' });
  await waitUntil('it is being answered', () => busy.messages.some(({ data }) => data), WITHIN_MS);
  const stopping = gateway.process.stop();
  await waitUntil('the idle session is closed', () => idle.closed?.code === 1012, WITHIN_MS);
  // It may be at the other worker, which drains at its own pace.
  await waitUntil('the busy one is told', () => busy.messages.some(({ goAway }) => goAway), WITHIN_MS);
  expect(busy.closed).toBeUndefined();
  fleet.upstream.liveSessions.at(-1)?.finish();
  await waitUntil('the other is, once it is answered', () => busy.closed?.code === 1012, WITHIN_MS);
  expect(busy.turns).toBe(1);
  expect(await stopping).toBe(0);
  await expectCharged(fleet);
}

async function expectCharged(fleet: ReplicaFleet): Promise<void> {
  await fleet.expectSettled(SETTLED_WITHIN_MS);
  const [row] = await fleet.query<{ sum: string }>(
    `select coalesce(-sum(amount), 0)::text as sum from entry where wallet_id is not null and kind = 'charge'`,
  );
  expect(BigInt(row?.sum ?? 0)).toBe(costOfMeter(fleet.upstream));
}

function costOfMeter({ liveSessions }: FakeUpstream): NanoUsd {
  const { audio_input_per_million: heard, audio_output_per_million: said } = REALTIME_PRICE;
  const billed = liveSessions.flatMap((session) => session.billed);
  return billed.reduce(
    (sum, { textIn, audioIn, textOut, audioOut }) =>
      sum +
      lineOf(textIn, REALTIME_PRICE.input_per_million) +
      lineOf(audioIn, heard) +
      lineOf(textOut, REALTIME_PRICE.output_per_million) +
      lineOf(audioOut, said),
    0n,
  );
}
