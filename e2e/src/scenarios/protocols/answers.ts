import { formatUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../deployment/deployment.js';
import { expectedCost } from '../../expected-cost.js';
import { findCall, type Pair, PAIRS, slugOf } from './pairs.js';
import { waitForLog } from './wait-for-log.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' }, degrees: { type: 'number' }, windy: { type: 'boolean' } },
  required: ['city', 'degrees', 'windy'],
  additionalProperties: false,
} as const;

/** Text, pictures and JSON, whole and streamed: the same answer and the same bill whatever is spoken behind the slug. */
export function describeAnswers(get: () => Deployment): void {
  describe.each(PAIRS)('$title', (pair) => {
    const { client } = pair;

    it.each(['plain', 'cached-prompt'])('answers in full: %s', async (behaviour) => {
      const model = slugOf(pair, behaviour);
      const conversation = client.open(get(), { model, system: 'Be brief.' });
      conversation.ask({ text: 'Hello there' });
      const reply = await conversation.run({ stream: false });
      const call = findCall(get(), pair, behaviour);
      expect(reply).toMatchObject({ calls: [], stop: client.stops.end });
      expect(reply.text).toMatch(/^The river runs .* who wait$/);
      expect(reply.counts).toEqual(countsOf(pair, behaviour));
      expect(reply.headers['x-gateway-cost']).toBe(formatUsd(expectedCost(call)));
      expect(call.rawBody.toString()).toContain('Be brief.');
    });

    it.each(['plain', 'cached-prompt'])('streams: %s', async (behaviour) => {
      const conversation = client.open(get(), { model: slugOf(pair, behaviour) });
      conversation.ask({ text: 'Hello there' });
      const pieces: string[] = [];
      const reply = await conversation.run({ stream: true, onText: (piece) => pieces.push(piece) });
      expect(pieces.length).toBeGreaterThan(10);
      expect(pieces.join('')).toBe(reply.text);
      expect(reply).toMatchObject({ stop: client.stops.end });
      expect(reply.text).toMatch(/^The river runs .* who wait$/);
      expect(reply.counts).toEqual(countsOf(pair, behaviour));
      const log = await waitForLog(get(), reply.headers);
      expect(log).toMatchObject({
        estimated: false,
        cost: formatUsd(expectedCost(findCall(get(), pair, behaviour))),
        reason: 'completed',
      });
    });

    it.each([false, true])('says that an answer was cut, streamed: %s', async (stream) => {
      const conversation = client.open(get(), { model: slugOf(pair, 'plain'), maxTokens: 16 });
      conversation.ask({ text: 'Hello there' });
      const reply = await conversation.run({ stream });
      expect(reply).toMatchObject({ stop: client.stops.length, counts: { output: 16 } });
    });

    it('shows pictures', async () => {
      const conversation = client.open(get(), { model: slugOf(pair, 'plain') });
      conversation.ask({ text: 'What is this?', image: PIXEL });
      const reply = await conversation.run({ stream: false });
      expect(reply.text).toBe('I see 1 image.');
      expect(findCall(get(), pair, 'plain').rawBody.toString()).toContain(PIXEL);
    });

    it('answers in JSON by a schema', async () => {
      const conversation = client.open(get(), { model: slugOf(pair, 'plain'), schema: SCHEMA });
      conversation.ask({ text: 'How is the weather?' });
      const reply = await conversation.run({ stream: false });
      expect(JSON.parse(reply.text)).toEqual({ city: 'sample', degrees: 1, windy: true });
    });

    function countsOf(of: Pair, behaviour: string) {
      const { promptTokens, cachedTokens, completionTokens } = findCall(get(), of, behaviour);
      return { input: promptTokens, cached: cachedTokens, output: completionTokens };
    }
  });
}
