import { omitUndefined } from '@mg/contract';
import {
  type ClientProtocolName,
  ConvertingStream,
  findChatProtocol,
  findCodec,
  type JsonObject,
} from '@mg/protocols';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseSurface } from '../build-outgoing.js';
import { sandbox } from './index.js';

const QUESTION = 'How is the weather in Paris?';
const CITY = { type: 'object', properties: { city: { type: 'string' } } };

/** A request of each client whose protocol knows more than text, that thinks and calls a tool. */
const REQUESTS: Readonly<Partial<Record<ClientProtocolName, JsonObject>>> = {
  'openai-chat': {
    messages: [{ role: 'user', content: QUESTION }],
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'get_weather', parameters: CITY } }],
  },
  'anthropic-messages': {
    max_tokens: 3_000,
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    messages: [{ role: 'user', content: QUESTION }],
    tools: [{ name: 'get_weather', input_schema: CITY }],
  },
  'gemini-generate': {
    contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
    tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: CITY }] }],
  },
  'openai-responses': {
    input: QUESTION,
    reasoning: { effort: 'low', summary: 'auto' },
    tools: [{ type: 'function', name: 'get_weather', parameters: CITY }],
  },
};
const PAIRS = (Object.keys(REQUESTS) as ClientProtocolName[]).flatMap((client) =>
  ['sandbox-messages', 'sandbox-generate', 'sandbox-responses'].map((model) => [client, model] as const),
);
const CONTEXT = { model: 'slug', includeUsage: true, showReasoning: true };

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
});

afterAll(() => {
  vi.useRealTimers();
});

/** Sends a client's request as the gateway would, and answers the upstream's bytes. */
function send(client: ClientProtocolName, model: string, stream: boolean) {
  const surface = chooseSurface(sandbox, 'chat', model, client, {});
  if (!surface?.answer) throw new Error(`${model} is not served`);
  const dropped: string[] = [];
  const request = findCodec(client).decodeRequest(
    { model: 'slug', ...REQUESTS[client], ...omitUndefined({ stream: stream || undefined }) },
    'slug',
    stream,
  );
  const body = findCodec(surface.protocol).encodeRequest(request, {
    upstreamModel: model,
    channelType: 'sandbox',
    traits: surface.traits?.(model, {}) ?? {},
    client: findChatProtocol(client),
    dropped: { add: (field) => dropped.push(field) },
  });
  const { chunks } = surface.answer({
    body: Buffer.from(JSON.stringify(body)),
    path: surface.path({ model, stream, settings: {} }),
    signal: new AbortController().signal,
  });
  return { chunks, dropped, upstream: findCodec(surface.protocol) };
}

describe.each(PAIRS)('a client of %s with %s', (client, model) => {
  const codec = findCodec(client);
  const call = { type: 'tool-call', name: 'get_weather', arguments: '{"city":"Paris"}' };

  it('gets thoughts and a call', async () => {
    const { chunks, dropped, upstream } = send(client, model, false);
    let answer = '';
    for await (const chunk of chunks) answer += chunk.toString();
    const reply = codec.encodeReply(upstream.decodeReply(JSON.parse(answer) as JsonObject), CONTEXT);
    expect(codec.decodeReply(reply).choices[0]?.blocks.slice(-2)).toMatchObject([
      { type: 'reasoning', text: expect.stringContaining('thoughts are simulated') },
      call,
    ]);
    expect(dropped).toEqual([]);
  });

  it('gets them in a stream', async () => {
    const { chunks, dropped, upstream } = send(client, model, true);
    const converting = new ConvertingStream(upstream, codec, CONTEXT);
    const decoder = codec.createStreamDecoder();
    const events = [];
    for await (const chunk of chunks) events.push(...decoder.push(converting.push(chunk)));
    events.push(...decoder.push(converting.end()), ...decoder.end());
    const deltas = events.flatMap((event) => (event.type === 'block-delta' ? [event.delta] : []));
    const thoughts = deltas.flatMap((delta) => (delta.type === 'reasoning' ? [delta.text] : []));
    const json = deltas.flatMap((delta) => (delta.type === 'arguments' ? [delta.json] : []));
    const starts = events.flatMap((event) => (event.type === 'block-start' ? [event.block] : []));
    const opened = starts.flatMap((block) => (block.type === 'tool-call' ? [block.arguments] : []));
    expect(thoughts.join('')).toContain('thoughts are simulated');
    expect([...opened, ...json].join('')).toBe(call.arguments);
    expect(events.at(-1)).toEqual({ type: 'reply-end' });
    expect(dropped).toEqual([]);
  });
});
