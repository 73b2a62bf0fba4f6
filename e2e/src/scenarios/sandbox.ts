import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { createOpenAi, HELLO, readAll } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/** What a newcomer meets first: a model without any provider. */
export function describeSandbox(get: () => Deployment): void {
  describe('sandbox-chat', () => {
    it('answers, labelled as simulated, and is billed', async () => {
      const { data, response } = await createOpenAi(get())
        .chat.completions.create({ model: 'sandbox-chat', messages: HELLO })
        .withResponse();
      expect(data.choices[0]?.message.content).toContain('Simulated');
      expect(data.system_fingerprint).toBe('sandbox');
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({
        cost: response.headers.get('x-gateway-cost'),
        usage: { output_tokens: data.usage?.completion_tokens },
      });
      expect(Number(log.cost)).toBeGreaterThan(0);
    });

    it('streams', async () => {
      const stream = await createOpenAi(get()).chat.completions.create({
        model: 'sandbox-chat',
        messages: HELLO,
        stream: true,
        max_tokens: 20,
        stream_options: { include_usage: true },
      });
      const chunks = await readAll(stream);
      expect(chunks.length).toBeGreaterThan(5);
      expect(chunks.at(-1)?.usage?.completion_tokens).toBe(20);
    });

    it('calls tools and uses their results', async () => {
      const runner = createOpenAi(get()).chat.completions.runTools({
        model: 'sandbox-chat',
        messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'Tells the weather of a city',
              parameters: { type: 'object', properties: { city: { type: 'string' } } },
              parse: JSON.parse,
              function: (input: { city: string }) => `drizzle in ${input.city}`,
            },
          },
        ],
      });
      expect(await runner.finalContent()).toContain('drizzle in Paris');
    });
  });
}
