// OpenAI's SDK: a session of the Realtime API, which answers a text.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const client = new OpenAI({ baseURL: `${GATEWAY_URL}/v1`, apiKey: GATEWAY_KEY });
const session = new OpenAIRealtimeWS({ model: MODEL }, client);
const done = new Promise((resolve, reject) => {
  session.on('response.done', resolve);
  session.on('error', reject);
});
session.socket.on('open', () => {
  const content = [{ type: 'input_text', text: 'Hello?' }];
  session.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  session.send({ type: 'response.create' });
});
const { response } = await done;
assert.equal(response.status, 'completed');
session.close();
