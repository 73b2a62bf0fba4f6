import { expect, it } from 'vitest';
import type { ProtocolName } from '../chat/chat-protocols.js';
import { encodeFor } from '../testing/encode-for.js';
import { openaiResponses } from './index.js';

const input = [
  { role: 'user', content: 'hi' },
  { type: 'item_reference', id: 'rs_0a1' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'user', content: 'And now?' },
];
const HOME = 'openai-responses';

it.each<ProtocolName>(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'])(
  'clients 6: a reference to reasoning is left out and named: %s',
  (to) => {
    const { body, dropped } = encodeFor(HOME, to, { model: 'm', input });
    expect(dropped).toEqual(['input.reasoning']);
    expect(JSON.stringify(body)).toContain('And now?');
    expect(JSON.stringify(body)).not.toContain('rs_0a1');
  },
);

it('clients 6: is left out too where any of several accounts may hold it', () => {
  const body = { model: 'm', input };
  expect(openaiResponses.hasForeignTurns(Buffer.from(JSON.stringify(body)), body, {})).toBe(true);
});

it('clients 6: a reference to anything else is refused', () => {
  const request = { model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] };
  expect(() => encodeFor(HOME, 'openai-chat', request)).toThrow(
    expect.objectContaining({ param: 'input[0]' }),
  );
});
