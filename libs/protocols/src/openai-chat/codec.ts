import type { Codec } from '../canonical/codec.js';
import { atOnce } from '../canonical/steps.js';
import { decodeInSteps } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import type { OpenAiChatTraits } from './traits.js';

/** OpenAI's chat completions, in all directions. */
export const codec: Codec<OpenAiChatTraits> = {
  name: 'openai-chat',
  decodeRequest: atOnce(decodeInSteps),
  decodeInSteps,
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
};
