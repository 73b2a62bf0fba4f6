import type { Codec } from '../canonical/codec.js';
import { atOnce, inOneStep } from '../canonical/steps.js';
import { decodeRequest } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import type { BedrockConverseTraits } from './traits.js';

/** Converse, in which Amazon Bedrock speaks for models of every maker, in all directions. */
export const codec: Codec<BedrockConverseTraits> = {
  name: 'bedrock-converse',
  decodeRequest,
  decodeInSteps: inOneStep(decodeRequest),
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
};
