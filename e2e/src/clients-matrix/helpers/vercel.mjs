// Vercel's AI SDK over the Responses API and over chat completions: tools over several steps, and objects by a schema.
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const options = { baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY };
const openai = createOpenAI(options);
const compatible = createOpenAICompatible({ name: 'gateway', supportsStructuredOutputs: true, ...options });

for (const model of [openai(MODEL), openai.chat(MODEL), compatible(MODEL)]) {
  let asked;
  const weather = tool({
    description: 'The weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      asked = city;
      return 'rain';
    },
  });
  const request = { model, maxRetries: 0, tools: { weather }, stopWhen: stepCountIs(3) };
  const { text } = await generateText({ ...request, prompt: 'How is the weather?' });
  assert.match(text, /rain/);
  assert.equal(asked, 'sample');
  const stream = streamText({ ...request, prompt: 'How is the weather?' });
  assert.match(await stream.text, /rain/);

  const city = z.object({ city: z.string() });
  const { output } = await generateText({
    model,
    maxRetries: 0,
    prompt: 'Name a city.',
    output: Output.object({ schema: city }),
  });
  city.parse(output);
}
