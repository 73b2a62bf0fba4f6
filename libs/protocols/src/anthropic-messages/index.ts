import { ALL_MEDIA, type ChatProtocol } from '../chat/chat-protocol.js';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { closedSchemas } from '../canonical/schema-rules.js';
import { codec } from './codec.js';
import { editMessagesRequest } from './edit-request.js';
import { parseAnthropicError, renderAnthropicError, renderAnthropicErrorEvent } from './errors.js';
import { fieldNames } from './field-names.js';
import { fileReferences } from './file-references.js';
import { hasForeignMessages } from './has-foreign-turns.js';
import { limitMessagesTools } from './limit-tools.js';
import { listAnswerInputs, listMessagesInputs } from './list-inputs.js';
import { hasMediaUrls } from './has-media-urls.js';
import { markForCaching } from './mark-for-caching.js';
import { readMessagesDemand } from './read-demand.js';
import { readMessagesEnvelope } from './read-envelope.js';
import { readStopReason } from './map-stop-reason.js';
import { listMessagesTexts } from './read-produced-text.js';
import { listMessagesPromptTexts } from './read-prompt-text.js';
import { readMessageUsage } from './read-usage.js';
import { MessagesStreamTap } from './tap-stream.js';
import type { AnthropicMessagesTraits } from './traits.js';

/**
 * Anthropic's messages.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export const anthropicMessages: ChatProtocol<AnthropicMessagesTraits> = {
  name: 'anthropic-messages',
  path: '/v1/messages',
  codec,
  fieldNames,
  files: fileReferences,
  bindingFields: {
    container: () => true,
    mcp_servers: (value) => Array.isArray(value) && value.length > 0,
  },
  cacheMarks: ['cache_control'],
  markForCaching: (request, { cachesMarked }) => (cachesMarked ? markForCaching(request) : request),
  takesObjects: true,
  listInputs: listMessagesInputs,
  listAnswerInputs,
  fetchedMedia: ALL_MEDIA,
  schemaPasses: [closedSchemas, structuredSchemas],
  textForm: 'text',
  readCall: (body) => ({ envelope: readMessagesEnvelope(body), framing: 'sse' }),
  hasForeignTurns: hasForeignMessages,
  requiresConversion: (parsed, { supportsMediaUrls }) => supportsMediaUrls === false && hasMediaUrls(parsed),
  readDemand: readMessagesDemand,
  limitTools: limitMessagesTools,
  editRequest: editMessagesRequest,
  usagePath: ['usage'],
  createTap: () => new MessagesStreamTap(),
  isAnswer: (body) => Array.isArray(body.content),
  readAnswerUsage: readMessageUsage,
  listPromptTexts: listMessagesPromptTexts,
  isRefusal: (answer) => readStopReason(answer.stop_reason) === 'filtered',
  listProducedTexts: listMessagesTexts,
  parseUpstreamError: parseAnthropicError,
  renderError: renderAnthropicError,
  renderErrorEvent: renderAnthropicErrorEvent,
};
