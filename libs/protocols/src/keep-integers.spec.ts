import { describe, expect, it } from 'vitest';
import type { Codec, EncodeContext } from './canonical/codec.js';
import { findCodec, findUpstreamProtocol } from './chat/chat-protocols.js';
import { keepIntegers, parseExactObject } from './json.js';

/** Beyond 2^53: a double makes 1234567890123456800 of it. */
const ID = '1234567890123456789';
const ARGUMENTS = `{"id":${ID}}`;

const REQUESTS: Readonly<Record<string, string>> = {
  'openai-chat': `{"seed":${ID},"messages":[{"role":"user","content":"Look it up."},
    {"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":${JSON.stringify(ARGUMENTS)}}}]},
    {"role":"tool","tool_call_id":"call_1","content":${JSON.stringify(ARGUMENTS)}}],
    "tools":[{"type":"function","function":{"name":"find","parameters":{"type":"object","properties":{"id":{"type":"integer","maximum":${ID}}}}}}]}`,
  'openai-responses': `{"input":[{"role":"user","content":"Look it up."},
    {"type":"function_call","call_id":"call_1","name":"find","arguments":${JSON.stringify(ARGUMENTS)}},
    {"type":"function_call_output","call_id":"call_1","output":${JSON.stringify(ARGUMENTS)}}],
    "tools":[{"type":"function","name":"find","parameters":{"type":"object","properties":{"id":{"type":"integer","maximum":${ID}}}}}]}`,
  'anthropic-messages': `{"max_tokens":64,"messages":[{"role":"user","content":"Look it up."},
    {"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"find","input":${ARGUMENTS}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":${JSON.stringify(ARGUMENTS)}}]}],
    "tools":[{"name":"find","input_schema":{"type":"object","properties":{"id":{"type":"integer","maximum":${ID}}}}}]}`,
  'gemini-generate': `{"contents":[{"role":"user","parts":[{"text":"Look it up."}]},
    {"role":"model","parts":[{"functionCall":{"name":"find","args":${ARGUMENTS}}}]},
    {"role":"user","parts":[{"functionResponse":{"name":"find","response":${ARGUMENTS}}}]}],
    "tools":[{"functionDeclarations":[{"name":"find","parametersJsonSchema":{"type":"object","properties":{"id":{"type":"integer","maximum":${ID}}}}}]}]}`,
};

const REPLIES: Readonly<Record<string, string>> = {
  'openai-chat': `{"id":"1","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":${JSON.stringify(ARGUMENTS)}}}]}}]}`,
  'openai-responses': `{"id":"1","status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"call_1","name":"find","arguments":${JSON.stringify(ARGUMENTS)}}]}`,
  'anthropic-messages': `{"id":"1","type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"call_1","name":"find","input":${ARGUMENTS}}]}`,
  'gemini-generate': `{"responseId":"1","candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"functionCall":{"name":"find","args":${ARGUMENTS}}}]}}]}`,
};

const CODECS = Object.keys(REQUESTS).map((name) => findCodec(name as Codec['name']));
const PAIRS = CODECS.flatMap((from) => CODECS.map((to) => ({ from, to })));
const context: EncodeContext = {
  upstreamModel: 'upstream-model',
  channelType: 'some-channel',
  traits: {},
  client: findUpstreamProtocol('openai-chat'),
  dropped: { add: () => undefined },
};

/** How often the integer stands in a text, whole. */
function count(text: string): number {
  return text.split(ID).length - 1;
}

describe('integers beyond 2^53', () => {
  it.each(PAIRS)('come from $from.name to $to.name in calls, results and schemas', ({ from, to }) => {
    const text = REQUESTS[from.name] ?? '';
    const body = keepIntegers(Buffer.from(text), JSON.parse(text));
    const request = from.decodeRequest(body, 'some-model', false);
    const sent = JSON.stringify(to.encodeRequest(request, context));
    expect(count(sent)).toBe(3);
    expect(sent).not.toContain('rawJSON');
  });

  it.each(PAIRS)('come back from $from.name to $to.name in a call', ({ from, to }) => {
    const reply = from.decodeReply(parseExactObject(REPLIES[from.name] ?? '') ?? {});
    const written = JSON.stringify(to.encodeReply(reply, { model: 'some-model', includeUsage: true }));
    expect(count(written)).toBe(1);
    expect(written).not.toContain('rawJSON');
  });

  it('come through a stream whose calls are whole objects', () => {
    const decoder = findCodec('gemini-generate').createStreamDecoder();
    const events = decoder.push(Buffer.from(`data: ${REPLIES['gemini-generate']}\r\n\r\n`));
    const encoder = findCodec('gemini-generate').createStreamEncoder({
      model: 'some-model',
      includeUsage: true,
    });
    const written = [...events, ...decoder.end()].map((event) => encoder.encode(event)).join('');
    expect(count(written)).toBe(1);
  });

  it('leave a body alone that has none', () => {
    const parsed = { seed: 7 };
    expect(keepIntegers(Buffer.from('{"seed":7}'), parsed)).toBe(parsed);
  });
});
