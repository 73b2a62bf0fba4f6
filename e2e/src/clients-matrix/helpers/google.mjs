// Google's SDK: automatic function calling, JSON by a schema, a chat that is streamed.
import assert from 'node:assert/strict';
import { GoogleGenAI, Type } from '@google/genai';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const client = new GoogleGenAI({ apiKey: GATEWAY_KEY, httpOptions: { baseUrl: GATEWAY_URL } });

let asked;
const weather = {
  tool: async () => ({
    functionDeclarations: [
      {
        name: 'get_weather',
        description: 'The weather of a city.',
        parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
      },
    ],
  }),
  callTool: async ([call]) => {
    asked = call.args.city;
    return [{ functionResponse: { id: call.id, name: call.name, response: { output: 'rain' } } }];
  },
};
const answer = await client.models.generateContent({
  model: MODEL,
  contents: 'How is the weather?',
  config: { tools: [weather] },
});
assert.match(answer.text, /rain/);
assert.equal(asked, 'sample');

const city = await client.models.generateContent({
  model: MODEL,
  contents: 'Name a city.',
  config: {
    responseMimeType: 'application/json',
    responseSchema: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
  },
});
assert.equal(typeof JSON.parse(city.text).city, 'string');

const chat = client.chats.create({ model: MODEL });
let said = '';
for await (const chunk of await chat.sendMessageStream({ message: 'Say something.' }))
  said += chunk.text ?? '';
assert.notEqual(said, '');
