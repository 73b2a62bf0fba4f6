import { describe, expect, it } from 'vitest';
import { replayReply } from '../canonical/replay-reply.js';
import { EventWriter } from '../canonical/event-writer.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { codec as openaiChat } from './codec.js';
import { readChatEnvelope } from './read-envelope.js';

const CALL = { type: 'tool-call', name: 'find', arguments: '{"city":"Rome"}' } as const;
const REPLY: CanonicalReply = {
  id: '1',
  model: 'm',
  created: 1,
  choices: [
    {
      blocks: [
        { ...CALL, id: 'call_1' },
        { ...CALL, id: 'call_2', arguments: '{"city":"Bari"}' },
      ],
      stop: 'tool-call',
      stopSequence: undefined,
      refusal: undefined,
      logprobs: undefined,
    },
  ],
  usage: undefined,
  ext: {},
};
const context = { model: 'some-model', includeUsage: false, functionCalls: true };

describe('a client of the deprecated functions', () => {
  it('is known by its request', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }], functions: [{ name: 'find' }] };
    expect(readChatEnvelope(Buffer.from(JSON.stringify(body))).functionCalls).toBe(true);
    expect(openaiChat.decodeRequest(body, 'm', false).parallelToolCalls).toBe(false);
  });

  it('gets one function_call in an answer', () => {
    expect(openaiChat.encodeReply(REPLY, context).choices).toMatchObject([
      {
        message: { content: null, function_call: { name: 'find', arguments: '{"city":"Rome"}' } },
        finish_reason: 'function_call',
      },
    ]);
    expect(JSON.stringify(openaiChat.encodeReply(REPLY, context))).not.toContain('tool_calls');
  });

  it('gets one function_call in a stream', () => {
    const writer = new EventWriter();
    replayReply(REPLY, writer);
    const encoder = openaiChat.createStreamEncoder(context);
    const written = writer
      .take()
      .map((event) => encoder.encode(event))
      .join('');
    expect(written).toContain(
      '"delta":{"function_call":{"name":"find","arguments":"{\\"city\\":\\"Rome\\"}"}}',
    );
    expect(written).toContain('"finish_reason":"function_call"');
    expect(written).not.toMatch(/tool_calls|Bari/);
  });
});
