import { describe, expect, it } from 'vitest';
import { createAnthropic } from '../../clients/chat/anthropic.js';
import { createGoogle } from '../../clients/chat/gemini.js';
import { request } from '../../clients/gateway-client.js';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver, upstreamModelOver, WIRES } from '../../deployment/wires.js';
import { TOOLS } from '../tools.js';

const TEXT = 'How many tokens may this question have?';
/** The fake upstream counts this many too much, as no tokenizer does. */
const SURPLUS = 1_000;

/** Counting tokens: by the upstream that can, in its protocol, and by a tokenizer everywhere else. */
export function describeCounting(get: () => Deployment): void {
  const count = (model: string, key: string = KEYS.main) =>
    request(get(), '/v1/messages/count_tokens', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: TEXT }] }),
    });

  describe('counting tokens', () => {
    it.each(WIRES)('over $name, for both SDKs that ask for it', async (wire) => {
      const model = slugOver(wire, 'plain');
      const claude = await createAnthropic(get())
        .messages.countTokens({
          model,
          system: 'Be brief.',
          tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
          messages: [{ role: 'user', content: TEXT }],
        })
        .withResponse();
      const google = await createGoogle(get()).models.countTokens({ model, contents: TEXT });
      const isCounted = wire.name === 'anthropic' || wire.name === 'gemini';
      expect(claude.response.headers.get('x-gateway-estimated')).toBe(isCounted ? null : 'true');
      expect(google.sdkHttpResponse?.headers?.['x-gateway-estimated']).toBe(isCounted ? undefined : 'true');
      const prompt = (google.totalTokens ?? 0) - (isCounted ? SURPLUS : 0);
      expect(prompt).toBeGreaterThan(8);
      expect(prompt).toBeLessThan(25);
      expect(claude.data.input_tokens - (isCounted ? SURPLUS : 0)).toBeGreaterThan(prompt + 30);
    });

    it('maps the model and nothing else', async () => {
      const [wire] = WIRES.filter(({ name }) => name === 'anthropic');
      if (!wire) throw new Error('there is no wire of that name');
      expect((await count(slugOver(wire, 'plain'))).status).toBe(200);
      const call = get().upstream.calls.at(-1);
      expect(call?.path).toBe('/v1/messages/count_tokens');
      expect(JSON.parse(call?.rawBody.toString() ?? '')).toEqual({
        model: upstreamModelOver(wire, 'plain'),
        messages: [{ role: 'user', content: TEXT }],
      });
    });

    it.each([
      ['whoever cannot pay for the prompt', KEYS.poor, 'plain', false],
      ['whoever spent their quota', KEYS.spentQuota, 'plain', false],
      ['callers whose upstream fails', KEYS.main, 'error-500', true],
    ])('is an estimate for %s', async (_, key, behaviour, asked) => {
      const calls = get().upstream.calls.length;
      const answer = await count(`over-anthropic-${behaviour}`, key);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-gateway-estimated')).toBe('true');
      expect((JSON.parse(answer.text) as { input_tokens: number }).input_tokens).toBeLessThan(SURPLUS);
      expect(get().upstream.calls.length - calls).toBe(asked ? 1 : 0);
    });
  });
}
