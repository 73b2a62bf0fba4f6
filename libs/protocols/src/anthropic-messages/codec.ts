import type { Codec } from '../canonical/codec.js';
import { decodeRequest } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import type { AnthropicMessagesTraits } from './traits.js';

/** Anthropic's messages, in all directions. */
export const codec: Codec<AnthropicMessagesTraits> = {
  name: 'anthropic-messages',
  decodeRequest,
  encodeRequest,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
};
