import { NO_USAGE, toCount, type Usage } from '@mg/contract';
import { checkNumber, checkText, needText } from '../canonical/check-fields.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { blameUpstream, refuseField } from '../canonical/refuse.js';
import { type ChannelFormat, createExchange } from '../exchange/create-exchange.js';
import type { Exchange } from '../exchange/exchange.js';
import { StreamTap, tellBy } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import { readOpenAiComplaint } from '../openai-chat/errors.js';

/** Longest text of one call, in characters. */
const MAX_CHARACTERS = 4_096;
/** Tokens of sound that a character becomes: at most, and on average. */
const TOKENS_PER_CHARACTER = { most: 4, usual: 1.4 } as const;
const DONE = 'speech.audio.done';

interface SpokenText {
  readonly characters: number;
}

/** Everybody who speaks texts takes one wire format, so requests and answers only pass through. */
const CHANNEL: ChannelFormat<SpokenText, { readonly usage: undefined }> = {
  encodeRequest: () => [],
  decodeReply: ([answer]) =>
    answer && answer.bytes.length > 0 && answer.parsed === undefined
      ? { usage: undefined }
      : blameUpstream('The upstream answered without sound.'),
  createTap: ({ characters }) =>
    new StreamTap({
      isTelling: tellBy(DONE, '"error"'),
      readUsage: (event) => (event.type === DONE ? readSpeechUsage(event.usage, characters) : undefined),
      readFault: (event) => (isObject(event.error) ? event : undefined),
      isEnd: (event) => event.type === DONE,
      isLast: (_data, event) => event?.type === DONE,
      readText: () => '',
    }),
  // A 200 with JSON is no sound: it is read for what it complains of.
  passesUnread: (contentType) => !contentType.includes('json'),
  readComplaint: readOpenAiComplaint,
};

/**
 * A call of `POST /v1/audio/speech`. The text is the measure: by the character, or in tokens where the upstream tells them.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/audio/createSpeech
 */
export function readSpeech(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  const input = needText(parsed, 'input');
  if (input === '') refuseField('input', 'must not be empty');
  const characters = [...input].length;
  if (characters > MAX_CHARACTERS) refuseField('input', `must hold at most ${MAX_CHARACTERS} characters`);
  const speed = checkNumber(parsed, 'speed');
  if (speed !== undefined && !(speed >= 0.25 && speed <= 4)) refuseField('speed', 'must be from 0.25 to 4');
  if (!isObject(parsed.voice)) needText(parsed, 'voice');
  const instructions = checkText(parsed, 'instructions') ?? '';
  const promptText = `${input}${instructions}`;
  return createExchange({
    operation: 'speech',
    kind: 'speech',
    model: needText(parsed, 'model'),
    stream: checkText(parsed, 'stream_format') === 'sse',
    bound: countSpeech(characters, Buffer.byteLength(promptText), TOKENS_PER_CHARACTER.most),
    priceVariants: [],
    estimate: countSpeech(characters, 0, TOKENS_PER_CHARACTER.usual),
    promptText,
    body: { kind: 'json', bytes, parsed },
    request: { characters },
    client: { protocol: 'openai-speech', encodeReply: () => blameUpstream('Nothing is converted.') },
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
