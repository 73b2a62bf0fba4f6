// Anthropic's SDK: toolRunner, and parse by a schema.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const client = new Anthropic({ baseURL: GATEWAY_URL, apiKey: GATEWAY_KEY, maxRetries: 0 });

let asked;
const weather = betaTool({
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => {
    asked = city;
    return 'rain';
  },
});
for (const stream of [false, true]) {
  asked = undefined;
  const runner = client.beta.messages.toolRunner({
    model: MODEL,
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'How is the weather?' }],
    tools: [weather],
    stream,
  });
  const message = await runner.runUntilDone();
  assert.match(message.content.map((block) => block.text ?? '').join(''), /rain/);
  assert.equal(asked, 'sample');
}

const City = z.object({ city: z.string(), capital: z.boolean() });
const parsed = await client.messages.parse({
  model: MODEL,
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Name a city.' }],
  output_config: { format: zodOutputFormat(City) },
});
City.parse(parsed.parsed_output);
