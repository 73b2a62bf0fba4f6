import { formatUsd } from '@mg/contract';
import type { UpstreamCall } from '@mg/testkit';
import { expect, it } from 'vitest';
import type { ClientFailure } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { expectedCost } from '../../expected-cost.js';
import { waitForLog } from '../wait-for-log.js';
import { type Cell, findCall, openConversation } from './cells.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' }, windy: { type: 'boolean' } },
  required: ['city', 'degrees', 'windy'],
  additionalProperties: false,
} as const;

const PASSAGE = /^The river runs .* who wait$/;

/** Text, images and JSON, whole and streamed: the same answer and the same bill whatever is spoken behind the slug. */
export function describeAnswers(get: () => Deployment, cell: Cell): void {
  const { client, row } = cell;
  const reportsCache = !row.hidesCacheFrom?.includes(client.name);

  it('answers in full, asked where and as the provider wants it', async () => {
    const conversation = openConversation(get(), cell, 'cached-prompt', { system: 'Be brief.' });
    conversation.ask({ text: 'Hello there' });
    const reply = await conversation.run({ stream: false });
    const call = findMetered('cached-prompt');
    expect(reply).toMatchObject({ calls: [], stop: client.stops.end, counts: countsOf(call, reportsCache) });
    expect(reply.text).toMatch(PASSAGE);
    expect(reply.headers).not.toHaveProperty('x-gateway-dropped');
    expect(reply.headers['x-gateway-cost']).toBe(formatUsd(expectedCost(call)));
    expect(call.rawBody.toString()).toContain('Be brief.');
    expect(call.path).toMatch(row.asked?.whole ?? /^\/v1/);
    expect(String(call.headers.authorization ?? call.headers['api-key'])).toMatch(
      row.asked?.credential ?? /./,
    );
  });

  it('streams piece by piece, and charges what the upstream metered', async () => {
    const conversation = openConversation(get(), cell, 'cached-prompt');
    conversation.ask({ text: 'Hello there' });
    const pieces: string[] = [];
    const reply = await conversation.run({ stream: true, onText: (piece) => pieces.push(piece) });
    const call = findMetered('cached-prompt');
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('')).toBe(reply.text);
    expect(reply).toMatchObject({ stop: client.stops.end, counts: countsOf(call, reportsCache) });
    expect(reply.text).toMatch(PASSAGE);
    expect(call.path).toMatch(row.asked?.stream ?? /^\/v1/);
    const log = await waitForLog(get(), reply.headers);
    expect(log).toMatchObject({
      estimated: false,
      cost: formatUsd(expectedCost(call)),
      reason: 'completed',
    });
  });

  it('shows what a stream cost to who asks for it, and the SDK takes it', async () => {
    const conversation = openConversation(get(), cell, 'cached-prompt', {
      headers: { 'x-gateway-cost': '1' },
    });
    conversation.ask({ text: 'Hello there' });
    const reply = await conversation.run({ stream: true });
    const call = findMetered('cached-prompt');
    expect(reply).toMatchObject({ stop: client.stops.end, counts: countsOf(call, reportsCache) });
    expect(reply.text).toMatch(PASSAGE);
    expect(reply.cost).toBe(formatUsd(expectedCost(call)));
    const log = await waitForLog(get(), reply.headers);
    expect(log.cost).toBe(reply.cost);
  });

  it.each([false, true])('says that an answer was cut, streamed: %s', async (stream) => {
    const conversation = openConversation(get(), cell, 'plain', { maxTokens: 16 });
    conversation.ask({ text: 'Hello there' });
    const reply = await conversation.run({ stream });
    expect(reply).toMatchObject({ stop: client.stops.length, counts: { output: 16 } });
  });

  it('accepts images, or says that the model reads none', async () => {
    const conversation = openConversation(get(), cell, 'plain');
    conversation.ask({ text: 'What is this?', image: PIXEL });
    const said = await conversation.run({ stream: false }).then(
      ({ text }) => text,
      (error: unknown) => describeFailure(client.readFailure(error)),
    );
    expect(said).toMatch(row.refusesImages ?? /^I see 1 image\.$/);
    expect(findCall(get(), cell, 'plain').rawBody.toString()).toContain(PIXEL);
  });

  it('answers in JSON by a schema', async () => {
    const conversation = openConversation(get(), cell, 'plain', { schema: SCHEMA });
    conversation.ask({ text: 'How is the weather?' });
    const reply = await conversation.run({ stream: false });
    expect(reply.headers).not.toHaveProperty('x-gateway-dropped');
    expect(JSON.parse(reply.text)).toEqual({ city: 'sample', degrees: 1, windy: true });
    expect(findCall(get(), cell, 'plain').rawBody.toString()).toContain('degrees');
  });

  /** The last call for a behaviour, with as much of it as its usage reports. */
  function findMetered(behaviour: string): UpstreamCall {
    const call = findCall(get(), cell, behaviour);
    return row.hidesCache ? { ...call, cachedTokens: 0 } : call;
  }
}

function describeFailure({ status, type, message }: ClientFailure): string {
  return `${status} ${type}: ${message}`;
}

function countsOf({ promptTokens, cachedTokens, completionTokens }: UpstreamCall, reportsCache: boolean) {
  return { input: promptTokens, cached: reportsCache ? cachedTokens : 0, output: completionTokens };
}
