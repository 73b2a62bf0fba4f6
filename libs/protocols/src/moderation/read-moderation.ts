import { NO_USAGE } from '@mg/contract';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import { boundBytes } from '../exchange/bound-bytes.js';
import { type ChannelFormat, createExchange } from '../exchange/create-exchange.js';
import type { Exchange } from '../exchange/exchange.js';
import { isObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import { validate } from '../schema/validate.js';
import { moderationRequest } from './request-schema.js';

/** What OpenAI takes when no model is named. */
const DEFAULT_MODEL = 'omni-moderation-latest';
const FRAMING_TOKENS = 64;

/** Everybody who moderates speaks one wire format, so requests and answers only pass through. */
const CHANNEL: ChannelFormat<undefined, { readonly usage: undefined }> = {
  encodeRequest: () => [],
  decodeReply: ([answer]) =>
    Array.isArray(answer?.parsed?.results)
      ? { usage: undefined }
      : throwUpstreamError('The upstream answered without results.'),
  parseUpstreamError: parseOpenAiError,
};

/**
 * A call of `POST /v1/moderations`. Nobody reports usage: where a model is priced by tokens, its text is counted.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/moderations
 */
export function readModeration(bytes: Buffer): Exchange {
  const parsed = parseRequestBody(bytes);
  const { model, input } = validate(moderationRequest, parsed);
  const promptTexts = readInput(input);
  return createExchange({
    operation: 'moderation',
    kind: 'moderation',
    model: model ?? DEFAULT_MODEL,
    stream: false,
    bound: {
      ...NO_USAGE,
      inputTokens: boundBytes(promptTexts, bytes.length) + promptTexts.length + FRAMING_TOKENS,
    },
    priceVariants: [],
    estimate: NO_USAGE,
    promptTexts,
    body: { kind: 'json', bytes, parsed },
    request: undefined,
    client: {
      protocol: 'openai-moderations',
      encodeReply: () => throwUpstreamError('Nothing is converted.'),
    },
    channels: { 'openai-moderations': CHANNEL },
  });
}

/** A text, several, or parts of text and images. */
function readInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input) || input.length === 0)
    return refuseField('input', 'must be a text, several, or parts');
  return input.map((item: unknown, index) => {
    if (typeof item === 'string') return item;
    if (isObject(item) && item.type === 'text' && typeof item.text === 'string') return item.text;
    if (isObject(item) && item.type === 'image_url') return '';
    return refuseField(`input[${index}]`, 'must be a text or a part of type text or image_url');
  });
}
