import { createGate } from '@mg/testkit';
import { expect } from 'vitest';
import { openStream } from '../outages/open-stream.js';
import { type ReplicaFleet, withReplicaFleet } from '../outages/replica-fleet.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackSize } from './attack.js';
import { describeSeconds, LONG_CALLS, readCalls } from './lost-calls.js';

const SETTLED_WITHIN_MS = 75_000;
const KEY = { 'idempotency-key': 'of-a-killed-gateway' };

export const replaceGateway: Attack<AttackSize> = {
  threats: ['T19'],
  title:
    'F4: what a killed gateway held is settled, and its keys are answered, by a successor of another name',
  fullSizeOnly: true,
  timeoutMs: { short: 300_000, full: 300_000 },
  run: ({ say }) => withReplicaFleet((fleet) => replace(fleet, say), LONG_CALLS),
};

async function replace(fleet: ReplicaFleet, say: (line: string) => void): Promise<void> {
  const killed = await fleet.start('gateway', 'pod-a');
  const gate = createGate();
  fleet.upstream.script('plain', { wait: gate.wait });
  const countAsked = () => fleet.upstream.calls.filter(({ model }) => model === 'plain').length;
  await openStream(killed.url);
  const lost = Promise.allSettled([fleet.askChat(killed), fleet.askChat(killed, KEY)]);
  await waitUntil('two calls in flight', () => countAsked() === 2, 30_000);
  const hasCheckpoint = async () => (await readCalls(fleet)).some(({ checkpointed }) => checkpointed);
  await waitUntil('a checkpoint of the stream', hasCheckpoint, 30_000);
  expect((await readCalls(fleet)).map(({ state }) => state)).toEqual(['open', 'open', 'open']);

  const killedMs = performance.now();
  await killed.process.kill();
  gate.open();
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const successor = await fleet.start('gateway', 'pod-b');
  const repeated = await fleet.askChat(successor, KEY);
  const answeredMs = performance.now() - killedMs;
  expect(repeated.status).toBe(200);
  await fleet.expectSettled(killedMs + SETTLED_WITHIN_MS - performance.now());
  const settledMs = performance.now() - killedMs;
  const [answered, settled] = [describeSeconds(answeredMs), describeSeconds(settledMs)];
  say(
    `a gateway killed with three calls: the repeated key answered after ${answered}, all settled after ${settled}`,
  );
  expect(answeredMs).toBeLessThan(SETTLED_WITHIN_MS);

  const again = await fleet.askChat(successor, KEY);
  expect(again.text).toBe(repeated.text);
  expect(countAsked()).toBe(3);
  const calls = await readCalls(fleet);
  expect(calls).toHaveLength(3);
  expect(calls.find(({ hasKey }) => hasKey)).toMatchObject({ entries: ['charge'], owner: 'gateway/pod-b' });
  const others = calls.filter(({ hasKey }) => !hasKey);
  expect(others.find(({ checkpointed }) => checkpointed)).toMatchObject({
    state: 'posted',
    entries: ['charge'],
    estimated: true,
  });
  expect(others.find(({ checkpointed }) => !checkpointed)).toMatchObject({ state: 'expired', entries: [] });
}
