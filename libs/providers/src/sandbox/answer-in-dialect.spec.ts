import { omitUndefined } from '@mg/contract';
import { findCodec, isObject, type JsonObject, type ClientProtocolName } from '@mg/protocols';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseSurface } from '../build-outgoing.js';
import type { LocalReply } from '../descriptor.js';
import { sandbox } from './index.js';

const QUESTION = 'How is the weather in Paris?';
const CITY = { type: 'object', properties: { city: { type: 'string' } } };

interface Dialect {
  readonly protocol: ClientProtocolName;
  readonly model: string;
  readonly plain: JsonObject;
  readonly thinking: JsonObject;
  readonly tools: JsonObject;
  readonly bad: { readonly body: JsonObject; readonly param: string };
}

const contents = [{ role: 'user', parts: [{ text: QUESTION }] }];
const messages = { max_tokens: 2_000, messages: [{ role: 'user', content: QUESTION }] };
const DIALECTS: readonly Dialect[] = [
  {
    protocol: 'anthropic-messages',
    model: 'sandbox-messages',
    plain: messages,
    thinking: { ...messages, thinking: { type: 'enabled', budget_tokens: 1_024 } },
    tools: { ...messages, tools: [{ name: 'get_weather', input_schema: CITY }] },
    bad: { body: { ...messages, messages: [{ role: 'king', content: 'hi' }] }, param: 'messages' },
  },
  {
    protocol: 'gemini-generate',
    model: 'sandbox-generate',
    plain: { contents },
    thinking: {
      contents,
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
    },
    tools: {
      contents,
      tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: CITY }] }],
    },
    bad: { body: { contents: 'hello' }, param: 'contents' },
  },
  {
    protocol: 'openai-responses',
    model: 'sandbox-responses',
    plain: { input: QUESTION },
    thinking: { input: QUESTION, reasoning: { effort: 'low', summary: 'auto' } },
    tools: { input: QUESTION, tools: [{ type: 'function', name: 'get_weather', parameters: CITY }] },
    bad: { body: { input: 5 }, param: 'input' },
  },
];

function ask({ protocol, model }: Dialect, body: JsonObject, stream: boolean): LocalReply {
  const surface = chooseSurface(sandbox, 'chat', model, 'openai-chat', {});
  expect(surface?.protocol).toBe(protocol);
  const named =
    protocol === 'gemini-generate'
      ? body
      : { model, ...body, ...omitUndefined({ stream: stream || undefined }) };
  const path = surface?.path({ model, stream, settings: {} }) ?? '';
  const reply = surface?.answer?.({
    body: Buffer.from(JSON.stringify(named)),
    path,
    signal: new AbortController().signal,
  });
  if (!reply) throw new Error('the sandbox does not answer');
  return reply;
}

async function collect({ chunks }: LocalReply): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

async function askWhole(dialect: Dialect, body: JsonObject) {
  const reply = ask(dialect, body, false);
  expect(reply.status).toBe(200);
  const text = await collect(reply);
  return { text, reply: findCodec(dialect.protocol).decodeReply(JSON.parse(text) as JsonObject) };
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
});

afterAll(() => {
  vi.useRealTimers();
});

describe.each(DIALECTS)('$protocol', (dialect) => {
  it('answers, says that it is simulated, and reports usage', async () => {
    const { reply } = await askWhole(dialect, dialect.plain);
    expect(reply.model).toBe(dialect.model);
    expect(reply.choices[0]?.blocks).toEqual([
      expect.objectContaining({ type: 'text', text: expect.stringContaining('weather in Paris') }),
    ]);
    expect(reply.usage?.inputTokens).toBeGreaterThan(5);
    expect(reply.usage?.outputTokens).toBeGreaterThan(20);
  });

  it('thinks when it is told to', async () => {
    const { reply } = await askWhole(dialect, dialect.thinking);
    expect(reply.choices[0]?.blocks.map((block) => block.type)).toEqual(['reasoning', 'text']);
    expect(reply.usage?.reasoningTokens).toBe(32);
  });

  it('calls tools with arguments of their schema', async () => {
    const { reply } = await askWhole(dialect, dialect.tools);
    expect(reply.choices[0]).toMatchObject({
      stop: 'tool-call',
      blocks: [{ type: 'tool-call', name: 'get_weather', arguments: '{"city":"Paris"}' }],
    });
  });

  it.each(['plain', 'thinking', 'tools'] as const)('streams what it says at once: %s', async (kind) => {
    const { reply: whole } = await askWhole(dialect, dialect[kind]);
    const stream = ask(dialect, dialect[kind], true);
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const decoder = findCodec(dialect.protocol).createStreamDecoder();
    const events = [...decoder.push(Buffer.from(await collect(stream))), ...decoder.end()];
    expect(events.at(-1)).toEqual({ type: 'reply-end' });
    const text = events.flatMap((event) =>
      event.type === 'block-delta' && event.delta.type === 'text' ? [event.delta.text] : [],
    );
    const said = whole.choices[0]?.blocks.find((block) => block.type === 'text');
    expect(text.join('')).toBe(said?.text ?? '');
    expect(events.findLast((event) => event.type === 'usage')?.usage).toEqual(whole.usage);
  });

  it('refuses a bad body in its own words', async () => {
    const reply = ask(dialect, dialect.bad.body, false);
    expect(reply.status).toBe(400);
    const { error, detail } = JSON.parse(await collect(reply)) as JsonObject;
    expect(isObject(error) && error.message).toEqual(expect.stringContaining(dialect.bad.param));
    expect(detail).toMatchObject({ code: 'invalid_request' });
  });

  it('refuses what the simulation itself does not take', async () => {
    const temperature =
      dialect.protocol === 'gemini-generate' ? { generationConfig: { temperature: 9 } } : { temperature: 9 };
    const reply = ask(dialect, { ...dialect.plain, ...temperature }, false);
    expect(reply.status).toBe(400);
    expect(await collect(reply)).toContain('temperature');
  });
});

describe('models of the sandbox', () => {
  it.each([
    'openai-chat',
    'anthropic-messages',
    'gemini-generate',
    'openai-responses',
    'openai-completions',
  ] as const)('sandbox-chat speaks %s, so that its clients are served as they are', (protocol) => {
    expect(chooseSurface(sandbox, 'chat', 'sandbox-chat', protocol, {})?.protocol).toBe(protocol);
  });

  it.each(DIALECTS)(
    '$model speaks $protocol only, so that all other clients are converted',
    ({ model, protocol }) => {
      for (const client of [
        'openai-chat',
        'anthropic-messages',
        'gemini-generate',
        'openai-responses',
      ] as const) {
        expect(chooseSurface(sandbox, 'chat', model, client, {})?.protocol).toBe(protocol);
      }
    },
  );

  it('signs the thoughts of Claude and the calls of Gemini, in a stream at the end of the thoughts', async () => {
    const [claude, google] = DIALECTS;
    if (!claude || !google) throw new Error('no dialect');
    const thoughts = await askWhole(claude, claude.thinking);
    expect(thoughts.reply.choices[0]?.blocks[0]).toMatchObject({
      signature: { protocol: 'anthropic-messages' },
    });
    const streamed = await collect(ask(claude, claude.thinking, true));
    expect(streamed.indexOf('signature_delta')).toBeGreaterThan(streamed.lastIndexOf('thinking_delta'));
    const call = await askWhole(google, google.tools);
    expect(call.text).toContain('thoughtSignature');
    expect(await collect(ask(google, google.tools, true))).toContain('thoughtSignature');
  });
});
