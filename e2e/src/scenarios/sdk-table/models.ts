import { expect, it } from 'vitest';
import { createAnthropic } from '../../clients/chat/anthropic.js';
import { createGoogle } from '../../clients/chat/gemini.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver } from '../../deployment/wires.js';
import type { Cell } from './cells.js';

const TEXT = 'How many tokens may this question have?';
/** The fake upstream counts this many too much, as no tokenizer does. */
const SURPLUS = 1_000;

/** Tokens of a prompt and whether a tokenizer of ours had to count them, by the SDKs that ask. */
const COUNTERS: Readonly<
  Record<string, (deployment: Deployment, model: string) => Promise<{ tokens: number; estimated: boolean }>>
> = {
  anthropic: async (deployment, model) => {
    const { data, response } = await createAnthropic(deployment)
      .messages.countTokens({ model, messages: [{ role: 'user', content: TEXT }] })
      .withResponse();
    return {
      tokens: data.input_tokens,
      estimated: response.headers.get('x-gateway-estimated') === 'true',
    };
  },
  google: async (deployment, model) => {
    const { totalTokens = 0, sdkHttpResponse } = await createGoogle(deployment).models.countTokens({
      model,
      contents: TEXT,
    });
    return { tokens: totalTokens, estimated: sdkHttpResponse?.headers?.['x-gateway-estimated'] === 'true' };
  },
};

/** What is asked of a model without talking to it. */
export function describeModels(get: () => Deployment, cell: Cell): void {
  const { client, row } = cell;
  const slug = slugOver(row, 'plain');
  const count = COUNTERS[client.name];

  it('finds the model in the list and by its name', async () => {
    expect(await client.listModels(get())).toContain(slug);
    expect(await client.showModel(get(), slug)).toBe(slug);
  });

  if (!count) return;

  it('counts tokens: by the upstream that can, by a tokenizer that says so everywhere else', async () => {
    const { tokens, estimated } = await count(get(), slug);
    expect(estimated).toBe(!row.counts);
    const prompt = tokens - (estimated ? 0 : SURPLUS);
    expect(prompt).toBeGreaterThan(8);
    expect(prompt).toBeLessThan(25);
  });
}
