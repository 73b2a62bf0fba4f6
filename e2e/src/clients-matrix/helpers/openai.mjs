// OpenAI's SDK: runTools, and parse by a schema, of chat completions and of responses.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const client = new OpenAI({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY, maxRetries: 0 });
const City = z.object({ city: z.string(), capital: z.boolean() });

let asked;
const runner = client.chat.completions.runTools({
  model: MODEL,
  messages: [{ role: 'user', content: 'How is the weather?' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather of a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function: ({ city }) => {
          asked = city;
          return 'rain';
        },
      },
    },
  ],
});
assert.match(await runner.finalContent(), /rain/);
assert.equal(asked, 'sample');

const parsed = await client.chat.completions.parse({
  model: MODEL,
  messages: [{ role: 'user', content: 'Name a city.' }],
  response_format: zodResponseFormat(City, 'city'),
});
assert.deepEqual(City.parse(parsed.choices[0].message.parsed), parsed.choices[0].message.parsed);

const response = await client.responses.parse({
  model: MODEL,
  input: 'Name a city.',
  text: { format: zodTextFormat(City, 'city') },
});
City.parse(response.output_parsed);

const stream = client.responses.stream({ model: MODEL, input: 'Say something.' });
const final = await stream.finalResponse();
assert.notEqual(final.output_text, '');
