import type { Codec } from '../canonical/codec.js';
import { atOnce } from '../canonical/steps.js';
import { decodeInSteps } from './decode-request.js';
import { decodeGeminiReply, decodeGeminiReplyInSteps } from './decode-response.js';
import { GeminiStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeGeminiReply, encodeGeminiReplyInSteps } from './encode-response.js';
import { GeminiStreamEncoder } from './encode-stream.js';
import type { GeminiGenerateTraits } from './traits.js';

/** Google's `generateContent` and `streamGenerateContent`, v1beta. */
export const codec: Codec<GeminiGenerateTraits> = {
  name: 'gemini-generate',
  decodeRequest: atOnce(decodeInSteps),
  decodeInSteps,
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply: decodeGeminiReply,
  decodeReplyInSteps: decodeGeminiReplyInSteps,
  encodeReply: encodeGeminiReply,
  encodeReplyInSteps: encodeGeminiReplyInSteps,
  createStreamDecoder: () => new GeminiStreamDecoder(),
  createStreamEncoder: (context) => new GeminiStreamEncoder(context),
};
