import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from './canonical/events.js';
import type { JsonObject } from './json.js';
import { convertRequest, decodeGolden } from './testing/convert-golden.js';
import { LISTED_DIFFERENCES } from './testing/listed-differences.js';
import { type Golden, readGoldens, readJson, readModel, readText, toPlain } from './testing/read-goldens.js';
import { collectStream, decodeStream } from './testing/read-stream.js';
import { withoutPlaces } from './testing/without-places.js';

const LISTED = Object.values(LISTED_DIFFERENCES).flat();
const nameOf = ({ codec, concept }: Golden) => `${codec.name}: ${concept}`;

/** A request on the way to a channel of its own protocol, with its own model. */
function encodeOwn(golden: Golden, body: JsonObject): JsonObject {
  const request = golden.codec.decodeRequest(body, readModel(body), body.stream === true);
  const converted = convertRequest(request, {
    golden,
    to: golden.codec,
    traits: { supportsLaterSystemTurns: true },
  });
  if ('refused' in converted) return converted;
  // JSON has no `undefined`, which a body without a model must not get either.
  return toPlain({ ...converted.body, model: body.model }) as JsonObject;
}

function encodeOwnReply({ codec }: Golden, body: JsonObject): JsonObject {
  const context = { model: readModel(body), includeUsage: true };
  return toPlain(codec.encodeReply(codec.decodeReply(body), context)) as JsonObject;
}

/** What comes back is what came, or differs for a reason that is listed; then it is in its final form. */
function expectSame(
  golden: Golden,
  file: string,
  encode: (golden: Golden, body: JsonObject) => JsonObject,
): void {
  const body = readJson(golden, file);
  const again = encode(golden, withoutPlaces(body));
  const settled = 'refused' in again ? again : encode(golden, withoutPlaces(again));
  const isListed = LISTED.includes(nameOf(golden));
  expect(again).toEqual(isListed ? settled : body);
  expect(isDeepStrictEqual(again, body)).toBe(!isListed);
}

const isTaken = (kind: string) => (golden: Golden) =>
  readJson(golden, `${kind}.canonical.json`).refused === undefined;
const REQUESTS = readGoldens('request.json').filter(isTaken('request'));
const REPLIES = readGoldens('reply.json').filter(isTaken('reply'));

describe('a request that is converted to its own protocol', () => {
  for (const golden of REQUESTS) {
    it(`says the same: ${nameOf(golden)}`, () => expectSame(golden, 'request.json', encodeOwn));
  }

  it('loses nothing but what the provider refuses', () => {
    const lost = REQUESTS.map((golden) => {
      const request = decodeGolden(golden);
      if ('refused' in request) return [nameOf(golden), request.refused] as const;
      const converted = convertRequest(request, { golden: { ...golden, folder: '' }, to: golden.codec });
      return [nameOf(golden), 'dropped' in converted ? converted.dropped : []] as const;
    });
    expect(Object.fromEntries(lost.filter(([, dropped]) => !isDeepStrictEqual(dropped, []))))
      .toMatchInlineSnapshot(`
      {
        "anthropic-messages: coding-agent": [
          "thinking",
          "tools[1].strict",
        ],
        "anthropic-messages: json-schema": [
          "thinking",
        ],
        "anthropic-messages: server-tools": [
          "citations",
        ],
        "bedrock-converse: cited-history": [
          "citations",
        ],
        "gemini-generate: media": [
          "displayName",
        ],
        "openai-chat: thinking": [
          "messages.reasoning_content",
        ],
        "openai-chat: thinking-foreign": [
          "messages.reasoning_content",
          "thought_signature",
        ],
        "openai-chat: thinking-replayed": [
          "messages.reasoning_content",
        ],
        "openai-responses: carried-signatures": [
          "input.reasoning",
        ],
      }
    `);
  });
});

describe('an answer that is converted to its own protocol', () => {
  for (const golden of REPLIES) {
    it(`says the same: ${nameOf(golden)}`, () => expectSame(golden, 'reply.json', encodeOwnReply));
  }
});

it('every listed difference is one', () => {
  const names = [...REQUESTS, ...REPLIES].map(nameOf);
  expect(LISTED.filter((name) => !names.includes(name))).toEqual([]);
});

/** A stream that fails reports no usage, and the code of a failure only where its protocol has one. */
function readStream(events: readonly CanonicalEvent[]): unknown {
  const last = events.at(-1);
  return last?.type === 'fault' ? { said: last.fault.message } : collectStream(events);
}

const DIFFERENT_STREAMS = [
  // Signatures come once, at the end of a choice: SDKs would lose those that come in several chunks.
  'openai-chat: stream-thinking-blocks',
  // Searches are counted for the bill in what the provider sent; a converted stream does not repeat them.
  'openai-responses: stream-web-search',
];

describe('a stream that is converted to its own protocol', () => {
  for (const golden of readGoldens('stream.sse')) {
    it(`says the same: ${nameOf(golden)}`, () => {
      const before = decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]);
      const encoder = golden.codec.createStreamEncoder({ model: 'some-model', includeUsage: true });
      const text = before.map((event) => encoder.encode(event)).join('');
      const after = decodeStream(golden.codec, [Buffer.from(text)]);
      const differs = !isDeepStrictEqual(readStream(after), readStream(before));
      expect(differs).toBe(DIFFERENT_STREAMS.includes(nameOf(golden)));
    });
  }

  it('reports usage to an OpenAI client only when it asked for it', () => {
    const [golden] = readGoldens('stream.sse').filter(({ concept }) => concept === 'stream-text');
    if (!golden) throw new Error('there is no golden of a text');
    const events = decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]);
    const encoder = golden.codec.createStreamEncoder({ model: 'm', includeUsage: false });
    expect(events.map((event) => encoder.encode(event)).join('')).not.toContain('usage');
  });
});
