import { formatUsd } from '@mg/contract';
import type { UpstreamCall } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { createOpenAi, readAll } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

const CALLS = 60;
const MODELS = ['plain', 'paced', 'cached-prompt', 'odd-splits', 'usage-on-every-chunk'];

/** Many callers at once, whole and streamed: nobody gets another's answer or another's bill. */
export function describeParallelCalls(get: () => Deployment): void {
  describe('a crowd', () => {
    it(`of ${CALLS} parallel calls is answered and billed each on its own`, async () => {
      const ids = await Promise.all(Array.from({ length: CALLS }, (_, index) => ask(get(), index)));
      expect(new Set(ids).size).toBe(CALLS);
      const console = await ConsoleClient.asAdmin(get());
      for (const [index, id] of ids.entries()) {
        const call = findCall(get(), index);
        const log = await waitUntil(`the log of call ${index}`, () => console.findLog(id));
        expect(log).toMatchObject({
          cost: formatUsd(expectedCost(call)),
          estimated: false,
          reason: 'completed',
        });
        expect(log.usage.output_tokens).toBe(call.completionTokens);
      }
    });
  });
}

/** Asks for an answer of a length of its own, every second one streamed. Answers the request's id. */
async function ask(deployment: Deployment, index: number): Promise<string> {
  const params = {
    model: MODELS[index % MODELS.length] ?? 'plain',
    messages: [{ role: 'user' as const, content: marker(index) }],
    max_tokens: 5 + (index % 15),
  };
  const { completions } = createOpenAi(deployment).chat;
  if (index % 2 === 0) {
    const { response } = await completions.create(params).withResponse();
    return response.headers.get('x-request-id') ?? '';
  }
  const { data, response } = await completions.create({ ...params, stream: true }).withResponse();
  await readAll(data);
  return response.headers.get('x-request-id') ?? '';
}

function findCall(deployment: Deployment, index: number): UpstreamCall {
  const calls = deployment.upstream.calls.filter((call) => call.rawBody.includes(`"${marker(index)}"`));
  expect(calls).toHaveLength(1);
  return calls[0] as UpstreamCall;
}

function marker(index: number): string {
  return `crowd caller ${index}`;
}
