import type { Codec } from '../canonical/codec.js';
import { atOnce, inOneStep } from '../canonical/steps.js';
import { decodeRequest } from './decode-request.js';
import { decodeReply } from './decode-response.js';
import { createStreamDecoder } from './decode-stream.js';
import { encodeInSteps } from './encode-request.js';
import { encodeReply } from './encode-response.js';
import { createStreamEncoder } from './encode-stream.js';
import type { OpenAiCompletionsTraits } from './traits.js';

/** OpenAI's text completions, in all directions. */
export const codec: Codec<OpenAiCompletionsTraits> = {
  name: 'openai-completions',
  decodeRequest,
  decodeInSteps: inOneStep(decodeRequest),
  encodeRequest: atOnce(encodeInSteps),
  encodeInSteps,
  decodeReply,
  encodeReply,
  createStreamDecoder,
  createStreamEncoder,
};
