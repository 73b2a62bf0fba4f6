// Google's SDK: a session of the Live API, which answers a text.
import assert from 'node:assert/strict';
import { GoogleGenAI } from '@google/genai';

const { GATEWAY_URL, GATEWAY_KEY, MODEL } = process.env;
const client = new GoogleGenAI({ apiKey: GATEWAY_KEY, httpOptions: { baseUrl: GATEWAY_URL } });
let said = 0;
const turn = Promise.withResolvers();
const session = await client.live.connect({
  model: MODEL,
  callbacks: {
    onmessage: ({ serverContent }) => {
      if (serverContent?.modelTurn) said++;
      if (serverContent?.turnComplete) turn.resolve();
    },
    onclose: ({ code, reason }) => turn.reject(new Error(`closed with ${code}: ${reason}`)),
  },
});
session.sendClientContent({ turns: 'Hello?' });
await turn.promise;
assert.ok(said > 0);
session.close();
