import { NO_USAGE, toCount, type Usage } from '@mg/contract';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { throwUpstreamError } from '../canonical/refuse.js';
import { boundBytes } from '../exchange/bound-bytes.js';
import { type ChannelFormat, createExchange } from '../exchange/create-exchange.js';
import type { Exchange } from '../exchange/exchange.js';
import { StreamTap, containsAny } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import { validate } from '../schema/validate.js';
import { countCharacters, speechRequest } from './request-schema.js';

/** Tokens of sound that a character becomes: at most, and on average. */
const TOKENS_PER_CHARACTER = { most: 4, usual: 1.4 } as const;
const DONE = 'speech.audio.done';

interface SpeechInput {
  readonly characters: number;
}

/** Everybody who speaks texts takes one wire format, so requests and answers only pass through. */
const CHANNEL: ChannelFormat<SpeechInput, { readonly usage: undefined }> = {
  encodeRequest: () => [],
  decodeReply: ([answer]) =>
    answer && answer.bytes.length > 0 && answer.parsed === undefined
      ? { usage: undefined }
      : throwUpstreamError('The upstream answered without sound.'),
  createTap: ({ characters }) =>
    new StreamTap({
      mayMatter: containsAny(DONE, '"error"'),
      readUsage: (event) => (event.type === DONE ? readSpeechUsage(event.usage, characters) : undefined),
      readFault: (event) => (isObject(event.error) ? event : undefined),
      isEnd: (event) => event.type === DONE,
      isLast: (_data, event) => event?.type === DONE,
    }),
  // A 200 with JSON is no sound: it is read as an error.
  canPassThrough: (contentType) => !contentType.includes('json'),
  parseUpstreamError: parseOpenAiError,
};

/**
 * A call of `POST /v1/audio/speech`. The text is the measure: by the character, or in tokens where the upstream reports them.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
export function readSpeech(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  const { model, input, instructions, stream_format: streamFormat } = validate(speechRequest, parsed);
  const characters = countCharacters(input);
  const promptTexts = typeof instructions === 'string' ? [input, instructions] : [input];
  return createExchange({
    operation: 'speech',
    kind: 'speech',
    model,
    stream: streamFormat === 'sse',
    bound: countSpeech(characters, boundBytes(promptTexts, bytes.length), TOKENS_PER_CHARACTER.most),
    priceVariants: [],
    estimate: countSpeech(characters, 0, TOKENS_PER_CHARACTER.usual),
    promptTexts,
    body: { kind: 'json', bytes, parsed },
    request: { characters },
    client: { protocol: 'openai-speech', encodeReply: () => throwUpstreamError('Nothing is converted.') },
    channels: { 'openai-speech': CHANNEL },
  });
}

function countSpeech(characters: number, inputTokens: number, tokensPerCharacter: number): Usage {
  const outputTokens = Math.ceil(characters * tokensPerCharacter);
  return { ...NO_USAGE, characters, inputTokens, outputTokens, audioOutputTokens: outputTokens };
}

function readSpeechUsage(usage: unknown, characters: number): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const outputTokens = toCount(usage.output_tokens);
  const inputTokens = toCount(usage.input_tokens);
  if (inputTokens + outputTokens === 0) return undefined;
  return { ...NO_USAGE, characters, inputTokens, outputTokens, audioOutputTokens: outputTokens };
}
