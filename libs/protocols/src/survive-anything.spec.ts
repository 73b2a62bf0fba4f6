import { GatewayError } from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangeToolResults } from './canonical/arrange-tool-results.js';
import { runAtOnce } from './canonical/steps.js';
import type { Codec, EncodeContext } from './canonical/codec.js';
import { findUpstreamProtocol } from './chat/chat-protocols.js';
import { isObject, type JsonObject, parseObject } from './json.js';
import { codec as openaiChat } from './openai-chat/codec.js';
import { measureGrowth } from './testing/cpu-time.js';
import { paceOf } from './testing/fuzz-pace.js';
import { CODECS, readGoldens, readJson, readText, toPlain } from './testing/read-goldens.js';
import { decodeStream } from './testing/read-stream.js';

const context: EncodeContext = {
  upstreamModel: 'm',
  channelType: 'some-channel',
  traits: {},
  client: findUpstreamProtocol('openai-chat'),
  dropped: { add: () => undefined },
};

/** Runs a conversion, which may refuse in words and in no other way. @returns what came of it; `undefined` where it refused. */
function attempt<T>(code: string, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof GatewayError && error.code === code) return undefined;
    throw error;
  }
}

/** Every place in a JSON value, as a path of keys. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], item: unknown): unknown {
  if (key === undefined) return item;
  if (Array.isArray(value)) {
    return value.map((old: unknown, index) => (String(index) === key ? replaceAt(old, rest, item) : old));
  }
  return isObject(value) ? { ...value, [key]: replaceAt(value[key], rest, item) } : value;
}

const oddValue = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e300, '', 'text', [], {}, [null], [[]], { type: 'text' }, [
    '__proto__',
  ]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A golden body with one place in it replaced by something odd. */
function mutated(file: string, codec: Codec): fc.Arbitrary<JsonObject> {
  const bodies = readGoldens(file)
    .filter((golden) => golden.codec === codec)
    .map((golden) => readJson(golden, file));
  return fc
    .constantFrom(...bodies)
    .chain((body) =>
      fc
        .tuple(fc.constantFrom(...pathsOf(body).slice(1)), oddValue)
        .map(([path, value]) => replaceAt(body, path, value) as JsonObject),
    );
}

/** Converts a request: what a channel is asked is a request of its protocol. */
function expectRequest(from: Codec, to: Codec, body: JsonObject): void {
  const client = findUpstreamProtocol(from.name);
  const sent = attempt('invalid_request', () =>
    toPlain(to.encodeRequest(from.decodeRequest(body, 'm', false), { ...context, client })),
  );
  if (sent !== undefined) to.decodeRequest(sent as JsonObject, 'm', false);
}

/** Converts a reply: where it says anything, a client of another protocol gets a reply of that protocol. */
function expectReply(from: Codec, to: Codec, body: JsonObject): void {
  const reply = attempt('upstream_error', () => from.decodeReply(body));
  if (reply === undefined) return;
  const encoded = toPlain(to.encodeReply(reply, { model: 'm', includeUsage: true })) as JsonObject;
  // What the others have no place for goes back to its own protocol as it came.
  if (reply.choices.length > 0 && to !== from) to.decodeReply(encoded);
}

/** @returns the kind of the last event. */
function convertStream(from: Codec, to: Codec, stream: Buffer): string | undefined {
  const encoder = to.createStreamEncoder({ model: 'm', includeUsage: true });
  const events = decodeStream(from, [stream]);
  for (const event of events) encoder.encode(event);
  return events.at(-1)?.type;
}

function nest(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

/** A long conversation in a codec's own wire format, or as one text where it knows none. */
function longBody(codec: Codec, turns: number): JsonObject {
  const messages = Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `turn ${index}`,
  }));
  if (codec.name === 'openai-completions') return { prompt: JSON.stringify(messages) };
  return codec.encodeRequest(openaiChat.decodeRequest({ messages }, 'm', false), context);
}

/** A golden stream with one event changed in one place, or one line left out. */
function garbled(codec: Codec): fc.Arbitrary<string> {
  const streams = readGoldens('stream.sse')
    .filter((golden) => golden.codec === codec)
    .map((golden) => readText(golden, 'stream.sse').split('\n'));
  return fc.constantFrom(...streams).chain((lines) =>
    fc.tuple(fc.nat(lines.length - 1), oddValue, fc.nat(20)).map(([at, value, pick]) => {
      const data = parseObject((lines[at] ?? '').slice('data: '.length));
      if (!data) return lines.toSpliced(at, 1).join('\n');
      const paths = pathsOf(data);
      const changed = replaceAt(data, paths[pick % paths.length] ?? [], value);
      return lines.with(at, `data: ${JSON.stringify(changed)}`).join('\n');
    }),
  );
}

describe('codecs', () => {
  for (const from of CODECS) {
    it(`${from.name}: any JSON is read or refused in words, in every direction`, () => {
      const anything = fc.dictionary(fc.string(), fc.jsonValue());
      fc.assert(
        fc.property(anything, fc.constantFrom(...CODECS), (body, to) => {
          expectRequest(from, to, body);
          expectReply(from, to, body);
        }),
        paceOf(100),
      );
    });

    it(`${from.name}: a request with anything in any place is converted or refused in words`, () => {
      fc.assert(
        fc.property(mutated('request.json', from), fc.constantFrom(...CODECS), (body, to) => {
          expectRequest(from, to, body);
        }),
        paceOf(300),
      );
    });

    it(`${from.name}: a reply with anything in any place is converted or refused in words`, () => {
      fc.assert(
        fc.property(mutated('reply.json', from), fc.constantFrom(...CODECS), (body, to) => {
          expectReply(from, to, body);
        }),
        paceOf(300),
      );
    });

    it(`${from.name}: a stream with anything in any place keeps the order of events and ends once`, () => {
      fc.assert(
        fc.property(garbled(from), fc.constantFrom(...CODECS), (text, to) => {
          expect(['reply-end', 'fault']).toContain(convertStream(from, to, Buffer.from(text)));
        }),
        paceOf(300),
      );
    });

    it(`${from.name}: bytes of any kind end in one end`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
          const events = decodeStream(from, [Buffer.from(bytes)]);
          expect(events.at(-1)?.type).toBe('fault');
        }),
        paceOf(100),
      );
    });

    it(`${from.name}: a body nested too deep is refused`, () => {
      const deep = {
        model: 'm',
        messages: [{ role: 'user', content: nest(100_000) }],
        content: nest(100_000),
      };
      expect(() => from.decodeRequest(deep, 'm', false)).toThrow(GatewayError);
      expect(() => from.decodeReply(deep)).toThrow(GatewayError);
    });

    it(`${from.name}: the time of a conversion grows with its length, not with its square`, () => {
      const growth = measureGrowth(500, (turns) => {
        const body = longBody(from, turns);
        for (const to of CODECS) {
          attempt('invalid_request', () => to.encodeRequest(from.decodeRequest(body, 'm', false), context));
        }
      });
      expect(growth).toBeLessThan(24);
    });
  }
});

describe('C1: many calls in one turn', () => {
  const callsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

  it('are read in time that grows with their number, not with its square', () => {
    const user = { role: 'user', content: 'x' };
    const growth = measureGrowth(1_500, (count) => {
      // A turn holds 4,000 at most, what results hold among them.
      const messages = callsOf(count).flatMap((id, at) => [
        ...(at % 1_500 === 0 ? [user] : []),
        { role: 'tool', tool_call_id: id, content: 'x' },
      ]);
      openaiChat.decodeRequest({ messages }, 'm', false);
    });
    expect(growth).toBeLessThan(24);
  });

  it('find their results in such a time', () => {
    const growth = measureGrowth(1_500, (count) => {
      const ids = callsOf(count);
      const calls = ids.map((id) => ({ type: 'tool-call', id, name: 'f', arguments: '{}' }) as const);
      const results = ids
        .toReversed()
        .map((callId) => ({ type: 'tool-result', callId, name: 'f', content: [], isError: false }) as const);
      runAtOnce(
        arrangeToolResults([
          { role: 'assistant', blocks: calls },
          { role: 'user', blocks: results },
        ]),
      );
    });
    expect(growth).toBeLessThan(24);
  });
});

describe('found by the fuzz', () => {
  it.each([
    ['openai-chat', 'openai-responses', { messages: [imageOf('text')] }],
    ['openai-chat', 'openai-responses', { messages: [imageOf('gs://bucket/a.png')] }],
    ['gemini-generate', 'anthropic-messages', { contents: [saying('x')], generationConfig: thinking(1e300) }],
    ['gemini-generate', 'anthropic-messages', { contents: [saying('x')], generationConfig: thinking(0.5) }],
  ] as const)('%s to %s: %j is refused in words', (from, to, body) => {
    const [source, target] = [from, to].map((name) => CODECS.find((codec) => codec.name === name));
    if (!source || !target) throw new Error('no such codec');
    const convert = () => target.encodeRequest(source.decodeRequest(body, 'm', false), context);
    expect(convert).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

function imageOf(url: string): JsonObject {
  return { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
}

function saying(text: string): JsonObject {
  return { role: 'user', parts: [{ text }] };
}

function thinking(thinkingBudget: number): JsonObject {
  return { thinkingConfig: { thinkingBudget } };
}
