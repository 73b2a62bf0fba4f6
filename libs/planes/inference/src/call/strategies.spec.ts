import { setTimeout as sleep } from 'node:timers/promises';
import { type Catalog, parsePrice } from '@mg/contract';
import { createGate, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };
const SLOW_MS = 150;

let upstream: FakeUpstream;
let gateway: SmallGateway;
/** What the upstreams' own models cost, in USD for a million tokens in and as many out. */
let costs: Record<string, string>;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  costs = {};
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

/** A gateway whose model has two channels of equal priority and weight. */
async function start(routing: string): Promise<void> {
  const describeModel = (slug: string, cost: string, facts: object = {}) => {
    const price = parsePrice({ input_per_million: cost, output_per_million: '0' });
    return [
      slug,
      { slug, kind: 'chat', createdAt: 0, prices: [{ versionId: 'p', effectiveFrom: 0, price }], ...facts },
    ];
  };
  const channels = ['first', 'second'].map((name) =>
    makeChannel(name, { baseUrl: upstream.url, models: new Map([['m', `${name}-model`]]) }),
  );
  gateway = await startSmallGateway('strategies', {
    catalog: () => ({
      version: 1,
      channelsBySlug: new Map([['m', channels]]),
      models: new Map([
        describeModel('m', '1', { routing }),
        ...Object.entries(costs).map(([slug, cost]) => describeModel(slug, cost)),
      ] as [string, never][]) as Catalog['models'],
    }),
  });
}

const chat = () =>
  gateway.post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'hello' }] });

/** So many calls, one after another: the first channel that each was sent to, and why. */
async function askInTurn(calls: number): Promise<{ channel: string; reason: string }[]> {
  const before = gateway.log.length;
  for (let call = 0; call < calls; call++) expect((await chat()).status).toBe(200);
  await expect.poll(() => gateway.log.length, WITHIN).toBe(before + calls);
  return gateway.log.slice(before).map(({ attempts: [first] }) => ({
    channel: first?.channel ?? '',
    reason: first?.reason ?? '',
  }));
}

describe('a gateway whose model is routed', () => {
  it('by latency measures both channels, and stays with the one that answers sooner', async () => {
    await start('latency');
    upstream.script('first-model', { wait: () => sleep(SLOW_MS) });
    const measured = await askInTurn(2);
    expect(measured.map(({ channel }) => channel).sort()).toEqual(['first', 'second']);
    expect(measured[0]?.reason).toBe('priority 0, by latency: not measured yet, place 1 of 2');
    for (const { channel, reason } of await askInTurn(5)) {
      expect(channel).toBe('second');
      expect(reason).toMatch(/^priority 0, by latency: \d+ ms to a whole answer, place 1 of 2$/);
    }
  });

  it('by load sends each call where fewer are in flight', async () => {
    await start('busy');
    const gate = createGate();
    for (const model of ['first-model', 'second-model']) upstream.script(model, { wait: () => gate.wait() });
    const running: Promise<Response>[] = [];
    for (let call = 1; call <= 6; call++) {
      running.push(chat());
      await expect.poll(() => upstream.calls.length, WITHIN).toBe(call);
    }
    const asked = upstream.calls.map(({ model }) => model);
    for (const pair of [0, 2, 4]) {
      expect(asked.slice(pair, pair + 2).sort()).toEqual(['first-model', 'second-model']);
    }
    gate.open();
    await Promise.all(running);
    await expect.poll(() => gateway.log.length, WITHIN).toBe(6);
    const reasons = gateway.log.map(({ attempts: [first] }) => first?.reason);
    expect(new Set(reasons)).toEqual(
      new Set([0, 1, 2].map((calls) => `priority 0, by busy: ${calls} calls in flight, place 1 of 2`)),
    );
  });

  it('by cost goes to the channel whose own model is the cheapest by the price in force', async () => {
    costs = { 'first-model': '3', 'second-model': '2' };
    await start('cost');
    for (const asked of await askInTurn(4)) {
      const reason = 'priority 0, by cost: 2 USD for a million tokens in and out, place 1 of 2';
      expect(asked).toEqual({ channel: 'second', reason });
    }
    costs = { 'first-model': '1', 'second-model': '2' };
    for (const { channel } of await askInTurn(4)) expect(channel).toBe('first');
  });
});
