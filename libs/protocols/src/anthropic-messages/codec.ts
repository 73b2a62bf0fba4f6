import type { Codec } from '../canonical/codec.js';
import { decodeRequest } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeRequest } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import { readAnthropicFault } from './errors.js';
import { readMessagesUsage } from './read-usage.js';

/** Anthropic's messages, in all directions. */
export const anthropicMessages: Codec = {
  name: 'anthropic-messages',
  decodeRequest,
  encodeRequest,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
  readUsage: readMessagesUsage,
  readFault: readAnthropicFault,
};
