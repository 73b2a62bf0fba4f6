import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { restoreCallId } from './anthropic-messages/carry-call-id.js';
import type { Codec } from './canonical/codec.js';
import type { JsonObject } from './json.js';
import { CODECS, type Golden, readGoldens, readJson, readText, toPlain } from './testing/read-goldens.js';
import { decodeStream } from './testing/read-stream.js';
import { readEvents, readReply, type ReadAnswer, type ReadChoice } from './testing/read-answer.js';

interface Conversion {
  readonly name: string;
  readonly golden: Golden;
  readonly to: Codec;
}

/** Protocols whose answers have one choice. */
const SINGLE: readonly string[] = ['openai-responses', 'anthropic-messages', 'bedrock-converse'];
/** Has neither calls nor reasoning. */
const TEXT_ONLY = 'openai-completions';
const CONTEXT = { model: 'm', includeUsage: true } as const;
/** What a client is set otherwise, by the conversion. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'openai-chat to gemini-generate: reply-length-in-arguments':
    'arguments that were cut are text in an object',
  'gemini-generate to openai-chat: reply-thinking':
    "the thought comes beside the signature of the answer's text",
};
/** Endings that some protocols do not distinguish from the model's own. */
const LIKE_STOP: readonly (string | undefined)[] = ['stop-sequence', 'paused'];
const COUNTS = ['inputTokens', 'cachedInputTokens', 'outputTokens'] as const;

function listConversions(goldens: readonly Golden[]): readonly Conversion[] {
  return goldens.flatMap((golden) =>
    CODECS.map((to) => ({ name: `${golden.codec.name} to ${to.name}: ${golden.concept}`, golden, to })),
  );
}

/** Checks that the client gets what the upstream sent, as far as the client's protocol has words for it. */
function expectAll(original: ReadAnswer, converted: ReadAnswer, to: Codec): void {
  const choices = original.choices.slice(0, SINGLE.includes(to.name) ? 1 : undefined);
  expect(converted.choices.map((choice) => reduce(choice, to))).toEqual(
    choices.map((choice) => reduce(choice, to)),
  );
  // An image is a link within the text where a protocol has no other place for it.
  for (const [index, { text, refusal }] of choices.entries()) {
    const { text: words = '', refusal: reason = '' } = converted.choices[index] ?? {};
    expect(words).toContain(text);
    expect(words + reason).toContain(refusal);
  }
  expect(converted.fault).toBe(original.fault);
  // A stream that breaks off reports no usage.
  const counts = original.fault === undefined ? readCounts(original.usage) : {};
  expect(converted.usage ?? {}).toMatchObject(counts);
}

/** A choice without its text, and without what the protocol has no words for. */
function reduce({ thoughts, calls, stop }: ReadChoice, to: Codec): Partial<ReadChoice> {
  const isText = to.name === TEXT_ONLY;
  const isEnd = LIKE_STOP.includes(stop) || (isText && stop === 'tool-call');
  const known = calls.map((call) => call.replace(/^\S+/, (id) => restoreCallId(id)));
  return {
    ...omitUndefined({ thoughts: isText ? undefined : thoughts, calls: isText ? undefined : known }),
    stop: isEnd ? 'stop' : stop,
  };
}

/** What the client may count its bill by. */
function readCounts(usage: ReadAnswer['usage']): object {
  return Object.fromEntries(
    COUNTS.flatMap((name) => (usage?.[name] === undefined ? [] : [[name, usage[name]]])),
  );
}

const REPLIES = listConversions(
  readGoldens('reply.json').filter(
    (golden) => readJson(golden, 'reply.canonical.json').refused === undefined,
  ),
);

/** What the upstream sent, and what the client gets. */
function convertReply({ golden, to }: Conversion): readonly [ReadAnswer, ReadAnswer] {
  const reply = golden.codec.decodeReply(readJson(golden, 'reply.json'));
  const encoded = toPlain(to.encodeReply(reply, CONTEXT)) as JsonObject;
  return [readReply(reply), readReply(to.decodeReply(encoded))];
}

describe('an answer that is converted', () => {
  for (const conversion of REPLIES.filter(({ name }) => !(name in DIFFERENT))) {
    it(`${conversion.name}: carries all that the upstream sent`, () => {
      const [original, converted] = convertReply(conversion);
      expectAll(original, converted, conversion.to);
    });
  }

  it.each(Object.keys(DIFFERENT))('%s: tells it otherwise', (listed) => {
    const conversion = REPLIES.find(({ name }) => name === listed);
    const [original, converted] = conversion ? convertReply(conversion) : [];
    expect(converted?.choices).not.toEqual(original?.choices);
  });

  for (const { name, golden, to } of listConversions(readGoldens('stream.sse'))) {
    it(`${name}: carries as a stream all that the upstream sent`, () => {
      const events = decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]);
      const encoder = to.createStreamEncoder(CONTEXT);
      const text = events.map((event) => encoder.encode(event)).join('');
      expectAll(readEvents(events), readEvents(decodeStream(to, [Buffer.from(text)])), to);
    });
  }
});
