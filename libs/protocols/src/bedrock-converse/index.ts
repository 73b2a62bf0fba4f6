import type { UpstreamProtocol } from '../chat/chat-protocol.js';
import { isObject } from '../json.js';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { closedSchemas } from '../canonical/schema-rules.js';
import { codec } from './codec.js';
import { parseConverseError } from './errors.js';
import { listConverseInputs } from './list-inputs.js';
import { readStopReason } from './map-stop-reason.js';
import { listConverseTexts } from './read-produced-text.js';
import { readConverseUsage } from './read-usage.js';
import type { BedrockConverseTraits } from './traits.js';

/**
 * Converse, in which Amazon Bedrock speaks for models of every maker. No client speaks it here.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockConverse: UpstreamProtocol<BedrockConverseTraits> = {
  name: 'bedrock-converse',
  codec,
  fieldNames: {},
  bindingFields: { guardrailConfig: () => true, promptVariables: () => true },
  cacheMarks: ['cachePoint'],
  takesObjects: true,
  listAnswerInputs: listConverseInputs,
  fetchedMedia: [],
  schemaPasses: [closedSchemas, structuredSchemas],
  textForm: 'base64',
  isAnswer: (body) => isObject(body.output),
  readAnswerUsage: (answer) => readConverseUsage(answer.usage),
  isRefusal: (answer) => readStopReason(answer.stopReason) === 'filtered',
  listProducedTexts: listConverseTexts,
  parseUpstreamError: parseConverseError,
};
