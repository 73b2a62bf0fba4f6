import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { createOpenAi, HELLO, readAll } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { formatUsd } from '@mg/contract';
import { waitUntil } from '../wait-until.js';

/** A failing channel fails over to the next before the first byte; the caller notices nothing and pays once. */
export function describeFailover(get: () => Deployment): void {
  describe('failover', () => {
    it('goes to the next channel and charges the delivered answer only', async () => {
      const { data, response } = await createOpenAi(get())
        .chat.completions.create({ model: 'failover', messages: HELLO })
        .withResponse();
      expect(data.choices[0]?.message.content).toContain('The river runs');
      const log = await findLog(get(), response.headers.get('x-request-id') ?? '');
      expect(log.channel).toBe('second-choice');
      expect(log.attempts.map(({ channel, outcome }) => [channel, outcome])).toEqual([
        ['first-choice', 'failed'],
        ['second-choice', 'served'],
      ]);
      expect(log.attempts.every((attempt) => attempt.reason !== '')).toBe(true);
      const delivered = get().upstream.calls.at(-1);
      expect(delivered && log.cost).toBe(delivered && formatUsd(expectedCost(delivered)));
    });

    it('leaves a stream that opens with an error under a 200', async () => {
      const { data, response } = await createOpenAi(get())
        .chat.completions.create({ model: 'failover-in-stream', messages: HELLO, stream: true })
        .withResponse();
      const chunks = await readAll(data);
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toContain('The river');
      const log = await findLog(get(), response.headers.get('x-request-id') ?? '');
      expect(log.channel).toBe('second-choice');
    });
  });
}

async function findLog(deployment: Deployment, requestId: string) {
  const console = await ConsoleClient.asAdmin(deployment);
  return waitUntil(`the log of ${requestId}`, () => console.findLog(requestId));
}
