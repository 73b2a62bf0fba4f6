import { describe, expect, it } from 'vitest';
import { findChatProtocol } from '../chat/chat-protocols.js';

const { memory } = findChatProtocol('openai-responses');

/** A response of about a megabyte, all of short items. */
const RESPONSE = {
  id: 'resp_1',
  status: 'completed',
  output: Array.from({ length: 12_000 }, (_, index) => ({
    type: 'message',
    id: `msg_${index}`,
    content: [],
  })),
};
const EVENTS: readonly (readonly [string, object])[] = [
  ['response.output_text.done', { type: 'response.output_text.done', text: 'x' }],
  ['response.completed', { type: 'response.completed', response: RESPONSE }],
];

describe('an answer that is to be kept', () => {
  it.each([
    ['whole', JSON.stringify(RESPONSE), false],
    [
      'streamed',
      EVENTS.map(([name, event]) => `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      true,
    ],
  ])('%s, with thousands of items, is parsed in steps', async (_, text, stream) => {
    let pauses = 0;
    const pause = () => Promise.resolve(void pauses++);
    expect(await memory?.readFinishedResponse(Buffer.from(text), stream, pause)).toEqual(RESPONSE);
    expect(pauses).toBeGreaterThan(4);
  });

  it('is read at once where it is short', async () => {
    const refuse = () => Promise.reject(new Error('waited'));
    const short = Buffer.from(JSON.stringify({ ...RESPONSE, output: [] }));
    expect(await memory?.readFinishedResponse(short, false, refuse)).toMatchObject({ id: 'resp_1' });
  });
});
