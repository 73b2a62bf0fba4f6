import type { Codec } from '../canonical/codec.js';
import { atOnce } from '../canonical/steps.js';
import { decodeInSteps } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import type { AnthropicMessagesTraits } from './traits.js';

/** Anthropic's messages, in all directions. */
export const codec: Codec<AnthropicMessagesTraits> = {
  name: 'anthropic-messages',
  decodeRequest: atOnce(decodeInSteps),
  decodeInSteps,
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
};
