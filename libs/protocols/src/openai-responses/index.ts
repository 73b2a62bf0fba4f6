import { ALL_MEDIA, type ChatProtocol } from '../chat/chat-protocol.js';
import { parseOpenAiError, renderOpenAiError } from '../openai-chat/errors.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import { codec } from './codec.js';
import { isResponsesRefusal } from './decode-response.js';
import { memory } from './conversation.js';
import { editResponsesRequest } from './edit-request.js';
import { readEventNumber } from './event-number.js';
import { renderFailedResponse, renderResponsesErrorEvent } from './errors.js';
import { fieldNames } from './field-names.js';
import { fileReferences } from './file-references.js';
import { hasForeignItems } from './has-foreign-turns.js';
import { limitResponsesTools } from './limit-tools.js';
import { listResponsesInputs } from './list-inputs.js';
import { readResponsesDemand } from './read-demand.js';
import { readResponsesEnvelope } from './read-envelope.js';
import { listResponsesTexts } from './read-produced-text.js';
import { listResponsesPromptTexts } from './read-prompt-text.js';
import { readResponseUsage } from './read-usage.js';
import { ResponsesStreamTap } from './tap-stream.js';
import type { OpenAiResponsesTraits } from './traits.js';

/**
 * OpenAI's Responses API. What it remembers is kept by the gateway, which sends each request with its whole conversation. Errors are those of chat completions.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export const openaiResponses: ChatProtocol<OpenAiResponsesTraits> = {
  name: 'openai-responses',
  path: '/v1/responses',
  codec,
  memory,
  files: fileReferences,
  fieldNames,
  bindingFields: {},
  cacheMarks: ['prompt_cache_breakpoint'],
  fetchedMedia: ALL_MEDIA,
  schemaPasses: [strictSchemas],
  supportsStop: () => false,
  readCall: (body) => ({ envelope: readResponsesEnvelope(body), framing: 'sse' }),
  hasForeignTurns: hasForeignItems,
  listInputs: listResponsesInputs,
  readDemand: readResponsesDemand,
  limitTools: limitResponsesTools,
  keepNothing: () => ({ store: false }),
  editRequest: editResponsesRequest,
  usagePath: ['response', 'usage'],
  createTap: () => new ResponsesStreamTap(),
  isAnswer: (body) => Array.isArray(body.output),
  readAnswerUsage: readResponseUsage,
  listPromptTexts: listResponsesPromptTexts,
  isRefusal: isResponsesRefusal,
  listProducedTexts: listResponsesTexts,
  parseUpstreamError: parseOpenAiError,
  renderError: renderOpenAiError,
  renderErrorEvent: renderResponsesErrorEvent,
  readEventNumber,
  renderFailure: renderFailedResponse,
};
