import { describe, expect, it } from 'vitest';
import { catchApiError, createOpenAi } from '../../clients/openai-client.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver, WIRES } from '../../deployment/wires.js';

const PROMPT = 'The mill stands by';

/** OpenAI's legacy text completions: natively where the channel speaks them, converted everywhere else. */
export function describeTextCompletions(get: () => Deployment): void {
  describe('text completions', () => {
    it.each(WIRES)('answer over $name, whole and streamed, 16 tokens by default', async (wire) => {
      const client = createOpenAi(get());
      const model = slugOver(wire, 'plain');
      const whole = await client.completions.create({ model, prompt: PROMPT });
      expect(whole).toMatchObject({ object: 'text_completion', model: expect.stringContaining('plain') });
      expect(whole.choices).toMatchObject([
        { index: 0, text: expect.stringContaining('river'), finish_reason: 'length' },
      ]);
      expect(whole.usage?.completion_tokens).toBe(16);

      let text = '';
      let total = 0;
      const ends: unknown[] = [];
      const stream = await client.completions.create({
        model,
        prompt: PROMPT,
        max_tokens: 5,
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const { choices, usage } of stream) {
        text += choices[0]?.text ?? '';
        if (choices[0]?.finish_reason) ends.push(choices[0].finish_reason);
        total = usage?.completion_tokens ?? total;
      }
      // The Responses API answers with no fewer than 16.
      const shortest = wire.name === 'responses' ? 16 : 5;
      expect({ total, ends }).toEqual({ total: shortest, ends: ['length'] });
      expect(text).toMatch(shortest === 5 ? /^The river runs past the$/ : /^The river runs past the ./);
    });

    it('reach a channel that speaks them as they came, several prompts and tokens too', async () => {
      const client = createOpenAi(get());
      const prompts = await client.completions.create({ model: 'plain', prompt: ['One', 'Two'], n: 2 });
      expect(prompts.choices).toHaveLength(4);
      const call = get().upstream.calls.at(-1);
      expect(call?.path).toBe('/v1/completions');
      expect(call?.body).toEqual({ model: 'plain', prompt: ['One', 'Two'], n: 2, max_tokens: 16 });
      expect(prompts.usage?.completion_tokens).toBe(call?.completionTokens);
      const tokens = await client.completions.create({
        model: 'plain',
        prompt: [9906, 11, 1917],
        max_tokens: 3,
      });
      expect(tokens.choices[0]?.text).toBe('The river runs');
    });

    it.each(WIRES.filter(({ name }) => name !== 'chat'))(
      'are refused over $name where there is no counterpart, naming the field',
      async (wire) => {
        const client = createOpenAi(get());
        const model = slugOver(wire, 'plain');
        const calls = get().upstream.calls.length;
        const failures = await Promise.all([
          catchApiError(client.completions.create({ model, prompt: ['One', 'Two'] })),
          catchApiError(client.completions.create({ model, prompt: [9906, 11] })),
          catchApiError(client.completions.create({ model, prompt: PROMPT, suffix: 'the river' })),
          catchApiError(client.completions.create({ model, prompt: PROMPT, echo: true })),
          catchApiError(client.completions.create({ model, prompt: PROMPT, best_of: 3 })),
        ]);
        expect(failures.map(({ status, param }) => [status, param])).toEqual(
          ['prompt', 'prompt', 'suffix', 'echo', 'best_of'].map((param) => [400, param]),
        );
        expect(get().upstream.calls.length).toBe(calls);
      },
    );

    it('answer in the sandbox', async () => {
      const answer = await createOpenAi(get()).completions.create({ model: 'sandbox-chat', prompt: PROMPT });
      expect(answer.choices[0]?.text).not.toBe('');
    });
  });
}
