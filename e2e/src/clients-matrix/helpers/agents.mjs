// OpenAI Agents: a handover to another agent, a tool, and an answer by a schema.
import assert from 'node:assert/strict';
import { Agent, run, setDefaultOpenAIClient, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
setDefaultOpenAIClient(new OpenAI({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY, maxRetries: 0 }));
setTracingDisabled(true);

const writer = new Agent({ name: 'Writer', instructions: 'You write.', model: MODEL });
const first = Agent.create({ name: 'First', instructions: 'Hand over.', model: MODEL, handoffs: [writer] });
const handed = await run(first, 'Write something.');
assert.equal(handed.lastAgent?.name, 'Writer');
assert.equal(typeof handed.finalOutput, 'string');

let asked;
const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    asked = city;
    return 'rain';
  },
});
const told = await run(new Agent({ name: 'Weather', model: MODEL, tools: [weather] }), 'How is the weather?');
assert.equal(asked, 'sample');
assert.match(told.finalOutput, /rain/);

const outputType = z.object({ city: z.string() });
const city = await run(new Agent({ name: 'City', model: MODEL, outputType }), 'Name a city.');
assert.equal(typeof city.finalOutput.city, 'string');
