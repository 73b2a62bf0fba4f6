import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../server.js';

const ADDRESSES: Readonly<Record<string, string>> = {
  deepseek: '/deepseek/v1',
  openrouter: '/openrouter/api/v1',
  mistral: '/mistral/v1',
  xai: '/xai/v1',
  groq: '/groq/openai/v1',
  togetherai: '/togetherai/v1',
  fireworks: '/fireworks/inference/v1',
  moonshot: '/moonshot/v1',
  qwen: '/qwen/compatible-mode/v1',
  zhipu: '/zhipu/api/paas/v4',
  volcengine: '/volcengine/api/v3',
  ollama: '/ollama/v1',
  vllm: '/vllm/v1',
};

/** Asks each provider to think, in its own word for it. */
const THINKING: Readonly<Record<string, object>> = {
  mistral: { reasoning_effort: 'high' },
  qwen: { enable_thinking: true },
};

const TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };

let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});

afterAll(() => upstream.close());

describe.each(Object.entries(ADDRESSES))('%s', (name, address) => {
  it('writes its streams as it really does', async () => {
    const answer = await ask({ model: 'short', stream: true, stream_options: undefined });
    const calls = await ask({ model: 'short', stream: true, stream_options: undefined, tools: [TOOL] });
    const streams = `${answer.text}\n${calls.text}`
      .replaceAll(/\b1[6-9]\d{8}\b/g, '1700000000')
      .replaceAll(/fake0\d+/g, 'fake');
    await expect(streams).toMatchFileSnapshot(`__golden__/${name}.txt`);
  });

  it('reports its usage where usage is asked for', async () => {
    const options = name === 'mistral' ? {} : { stream_options: { include_usage: true } };
    const { text } = await ask({ model: 'plain', stream: true, ...options });
    expect(text).toMatch(/"prompt_tokens":\d+/);
  });

  it('answers in full', async () => {
    const { text } = await ask({ model: 'plain' });
    const { choices } = JSON.parse(text) as { choices: { message: { content: unknown } }[] };
    expect(JSON.stringify(choices[0]?.message.content)).toContain('The river runs past');
  });

  async function ask(body: object) {
    upstream.script('short', { answer: { tokens: 3, reasoning: { field: 'reasoning_content', tokens: 2 } } });
    const response = await fetch(`${upstream.url}${address}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'Where is the mill?' }],
        ...THINKING[name],
        ...body,
      }),
    });
    expect(response.status).toBe(200);
    return { text: await response.text() };
  }
});
