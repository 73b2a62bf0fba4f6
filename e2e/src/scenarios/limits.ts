import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { createGate } from '@mg/testkit';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const PARALLEL = 12;
/** What the budget of a day covers. */
const COVERED = 5;
/** The SDK waits for as long as the gateway says, a second each time. */
const RETRIES = 10;

/** A fetch that keeps the status and the headers of every answer, retried ones too. */
function watchFetch() {
  const answers: Response[] = [];
  const watched: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    answers.push(answer);
    return answer;
  };
  return { watched, answers };
}

/** Limits and budgets as callers with official SDKs meet them. */
export function describeLimits(get: () => Deployment): void {
  describe('limits', () => {
    it.each([
      {
        sdk: 'openai',
        headers: ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-requests'],
        call: (watched: typeof fetch) =>
          new OpenAI({
            baseURL: `${get().gatewayUrl}/v1`,
            apiKey: KEYS.limited,
            maxRetries: RETRIES,
            fetch: watched,
          }).chat.completions.create({ model: 'plain', messages: HELLO }),
      },
      {
        sdk: 'anthropic',
        headers: ['anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-tokens-reset'],
        call: (watched: typeof fetch) =>
          new Anthropic({
            baseURL: get().gatewayUrl,
            apiKey: KEYS.limited,
            maxRetries: RETRIES,
            fetch: watched,
          }).messages.create({
            model: 'plain',
            max_tokens: 50,
            messages: [{ role: 'user', content: 'Hello' }],
          }),
      },
      {
        // It looks at no header: it waits a second, then two, and so on, where it is told to try again at all.
        sdk: 'google',
        headers: ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-requests'],
        call: (watched: typeof fetch) =>
          new GoogleGenAI({
            apiKey: KEYS.limited,
            httpOptions: {
              baseUrl: get().gatewayUrl,
              fetch: watched,
              retryOptions: { attempts: RETRIES },
            },
          }).models.generateContent({ model: 'plain', contents: 'Hello' }),
      },
    ])('the SDK of $sdk backs off from a key at its limit, and succeeds', async ({ call, headers }) => {
      const { upstream } = get();
      const gate = createGate();
      const before = upstream.calls.length;
      upstream.script('plain', { wait: gate.wait }, {});
      // It backs off too: what ran under the key before may not have ended for the limit yet.
      const running = call(fetch);
      await waitUntil('the first call runs', () => upstream.calls.length > before);
      const { watched, answers } = watchFetch();
      const retried = call(watched);
      await waitUntil('the second is refused', () => answers.length > 0);
      gate.open();
      await retried;
      await running;
      expect(answers[0]?.status).toBe(429);
      expect(answers[0]?.headers.get('retry-after')).toBe('1');
      expect(answers.at(-1)?.status).toBe(200);
      for (const answer of answers) {
        for (const name of headers) expect(answer.headers.get(name)).not.toBeNull();
      }
    });

    it(`lets parallel calls spend what the budget of a day has, and says when the next begins`, async () => {
      const answers = await Promise.all(
        Array.from({ length: PARALLEL }, () =>
          postChat(get(), { model: 'flat', messages: HELLO }, { authorization: `Bearer ${KEYS.budgeted}` }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(COVERED);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.failure.detail).toMatchObject({
        code: 'budget_exceeded',
        retry_after: expect.any(Number) as number,
      });
      const console = await ConsoleClient.asAdmin(get());
      const token = await console.findToken('budgeted');
      await waitUntil('the budget is shown as reached', async () => {
        const { data } = await console.demand<{ data: { spent: string; state: string }[] }>(
          'GET',
          `/tokens/${token.id}/budgets`,
        );
        const [budget] = data;
        return budget?.spent === '0.05' && budget.state === 'reached';
      });
    });
  });
}
