// LangChain: an agent with a tool, an answer by a schema, a stream; over chat completions and the Responses API.
import assert from 'node:assert/strict';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;

for (const useResponsesApi of [false, true]) {
  const model = new ChatOpenAI({
    model: MODEL,
    apiKey: GATEWAY_KEY,
    configuration: { baseURL: `${GATEWAY_URL}/v1` },
    useResponsesApi,
    maxRetries: 0,
  });
  let asked;
  const weather = tool(
    async ({ city }) => {
      asked = city;
      return 'rain';
    },
    { name: 'get_weather', description: 'The weather of a city.', schema: z.object({ city: z.string() }) },
  );
  const agent = createAgent({ model, tools: [weather] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'How is the weather?' }] });
  assert.match(messages.at(-1).text, /rain/);
  assert.equal(asked, 'sample');

  const city = await model.withStructuredOutput(z.object({ city: z.string() })).invoke('Name a city.');
  assert.equal(typeof city.city, 'string');

  let said = '';
  for await (const chunk of await model.stream('Say something.')) said += chunk.text;
  assert.notEqual(said, '');
}
