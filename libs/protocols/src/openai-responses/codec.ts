import type { Codec } from '../canonical/codec.js';
import { atOnce } from '../canonical/steps.js';
import { decodeInSteps } from './decode-request.js';
import { decodeResponsesReply } from './decode-response.js';
import { ResponsesStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeResponsesReply } from './encode-response.js';
import { ResponsesStreamEncoder } from './encode-stream.js';
import type { OpenAiResponsesTraits } from './traits.js';

/** OpenAI's Responses API, without its memory. */
export const codec: Codec<OpenAiResponsesTraits> = {
  name: 'openai-responses',
  decodeRequest: atOnce(decodeInSteps),
  decodeInSteps,
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply: decodeResponsesReply,
  encodeReply: encodeResponsesReply,
  createStreamDecoder: () => new ResponsesStreamDecoder(),
  createStreamEncoder: (context) => new ResponsesStreamEncoder(context),
};
