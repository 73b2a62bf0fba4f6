import type { Codec } from '../canonical/codec.js';
import { decodeResponsesRequest } from './decode-request.js';
import { decodeResponsesReply } from './decode-response.js';
import { ResponsesStreamDecoder } from './decode-stream.js';
import { encodeResponsesRequest } from './encode-request.js';
import { encodeResponsesReply } from './encode-response.js';
import { ResponsesStreamEncoder } from './encode-stream.js';
import type { OpenAiResponsesTraits } from './traits.js';

/** OpenAI's Responses API, without its memory. */
export const codec: Codec<OpenAiResponsesTraits> = {
  name: 'openai-responses',
  decodeRequest: decodeResponsesRequest,
  encodeRequest: encodeResponsesRequest,
  decodeReply: decodeResponsesReply,
  encodeReply: encodeResponsesReply,
  createStreamDecoder: () => new ResponsesStreamDecoder(),
  createStreamEncoder: (context) => new ResponsesStreamEncoder(context),
};
