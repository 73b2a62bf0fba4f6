import type OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOpenAi, HELLO, readAll } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { formatUsd } from '@mg/contract';

const weatherTool: OpenAI.Chat.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The official SDK against a provider's models: everything it offers on chat completions must work by address and key alone. */
export function describeSdkChat(get: () => Deployment): void {
  describe('chat through the official SDK', () => {
    it('answers in full, with the headers of a billed call and none of the upstream', async () => {
      const { data, response } = await createOpenAi(get())
        .chat.completions.create({ model: 'plain', messages: HELLO })
        .withResponse();
      const call = await get().upstream.waitForCall((seen) => seen.finished && seen.model === 'plain');
      expect(data.choices[0]?.message.content).toContain('The river runs');
      expect(data.usage?.completion_tokens).toBe(24);
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('x-gateway-cost')).toBe(formatUsd(expectedCost(call)));
      expect(response.headers.get('x-gateway-latency-ms')).toMatch(/^\d+$/);
      for (const name of ['set-cookie', 'openai-organization', 'cf-ray']) {
        expect(response.headers.get(name)).toBeNull();
      }
      expect(['nginx', null]).toContain(response.headers.get('server'));
    });

    it('streams as it is produced and hides the usage event from a caller who did not ask for it', async () => {
      const stream = await createOpenAi(get()).chat.completions.create({
        model: 'paced',
        messages: HELLO,
        stream: true,
      });
      const arrivals: number[] = [];
      let text = '';
      for await (const chunk of stream) {
        arrivals.push(Date.now());
        expect(chunk.choices).toHaveLength(1);
        expect(chunk.usage ?? null).toBeNull();
        text += chunk.choices[0]?.delta.content ?? '';
      }
      expect(text).toContain('The river runs');
      expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(200);
      const call = get().upstream.calls.findLast((seen) => seen.model === 'paced');
      expect(call?.body).toMatchObject({ stream_options: { include_usage: true } });
    });

    it('passes the usage event on to a caller who asked for it', async () => {
      const stream = await createOpenAi(get()).chat.completions.create({
        model: 'cached-prompt',
        messages: HELLO,
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = await readAll(stream);
      expect(chunks.at(-1)).toMatchObject({
        choices: [],
        usage: { completion_tokens: 24, prompt_tokens_details: { cached_tokens: 6 } },
      });
    });

    it('gives several choices', async () => {
      const answer = await createOpenAi(get()).chat.completions.create({
        model: 'plain',
        messages: HELLO,
        n: 3,
      });
      expect(answer.choices.map((choice) => choice.index)).toEqual([0, 1, 2]);
    });

    it.each(['plain', 'two-tool-calls'])('runs tools over two turns, whole: %s', async (model) => {
      const cities: unknown[] = [];
      const runner = createOpenAi(get()).chat.completions.runTools({
        model,
        messages: HELLO,
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'Tells the weather of a city',
              parameters: { type: 'object', properties: { city: { type: 'string' } } },
              parse: JSON.parse,
              function: (input: unknown) => {
                cities.push(input);
                return 'sunny';
              },
            },
          },
        ],
      });
      expect(await runner.finalContent()).toBe('The tool said: sunny');
      expect(cities[0]).toEqual({ city: 'sample' });
    });

    it('streams tool calls in fragments that the SDK puts together', async () => {
      const stream = createOpenAi(get()).chat.completions.stream({
        model: 'plain',
        messages: HELLO,
        tools: [weatherTool],
      });
      const answer = await stream.finalChatCompletion();
      const [call] = answer.choices[0]?.message.tool_calls ?? [];
      expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
      expect(call?.type === 'function' && call.function).toMatchObject({
        name: 'get_weather',
        arguments: '{"city":"sample"}',
      });
    });

    it('takes images', async () => {
      const answer = await createOpenAi(get()).chat.completions.create({
        model: 'plain',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: PIXEL, detail: 'low' } },
            ],
          },
        ],
      });
      expect(answer.choices[0]?.message.content).toBe('I see 1 image.');
    });

    it('parses structured output', async () => {
      const weather = z.object({ city: z.string(), degrees: z.number(), windy: z.boolean() });
      const answer = await createOpenAi(get()).chat.completions.parse({
        model: 'plain',
        messages: HELLO,
        response_format: zodResponseFormat(weather, 'weather'),
      });
      expect(answer.choices[0]?.message.parsed).toEqual({ city: 'sample', degrees: 1, windy: true });
    });

    it('forwards the bytes of a request but for the model and the usage flag', async () => {
      const body =
        '{ "messages":[{"role":"user","content":"caf\\u00e9 \\ud83e\\udde1"}],\n "x_unknown": {"big": 12345678901234567890}, "model":"failover", "seed":7 }';
      const response = await fetch(`${get().gatewayUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${createOpenAi(get()).apiKey}`,
          'content-type': 'application/json',
        },
        body,
      });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
      const call = get().upstream.calls.at(-1);
      const received = call?.rawBody.toString() ?? '';
      const cap = /"max_(completion_)?tokens":\d+,/;
      expect(received.replace(cap, '').replace('"plain"', '"failover"')).toBe(body);
    });

    it('lists and retrieves models', async () => {
      const client = createOpenAi(get());
      const models = await readAll(client.models.list());
      const ids = models.map((model) => model.id);
      expect(ids).toEqual(expect.arrayContaining(['plain', 'flat', 'sandbox-chat']));
      expect(ids).not.toContain('retired');
      expect(await client.models.retrieve('plain')).toMatchObject({ id: 'plain', object: 'model' });
    });
  });
}
