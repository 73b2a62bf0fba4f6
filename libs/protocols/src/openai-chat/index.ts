import type { ChatProtocol } from '../chat/chat-protocol.js';
import { isListOfChoices } from '../canonical/limit-items.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import { codec } from './codec.js';
import { editChatRequest } from './edit-request.js';
import { parseOpenAiError, renderOpenAiError, renderOpenAiErrorEvent } from './errors.js';
import { fieldNames } from './field-names.js';
import { fileReferences } from './file-references.js';
import { hasForeignMessages } from './has-foreign-turns.js';
import { listChatAnswerInputs } from './list-inputs.js';
import { isChatRefusal } from './map-stop-reason.js';
import { readChatDemand } from './read-demand.js';
import { readChatEnvelope } from './read-envelope.js';
import { listChatTexts } from './read-produced-text.js';
import { listPromptTexts } from './read-prompt-text.js';
import { readChunkUsage } from './read-usage.js';
import { requiresConversion } from './requires-conversion.js';
import { ChatStreamTap } from './tap-stream.js';
import type { OpenAiChatTraits } from './traits.js';
import { boundUncappedReasoning } from './uncapped-reasoning.js';

/**
 * OpenAI's chat completions, and those of everybody who speaks them.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openaiChat: ChatProtocol<OpenAiChatTraits> = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  codec,
  files: fileReferences,
  fieldNames,
  bindingFields: {
    audio: () => true,
    modalities: (value) => Array.isArray(value) && value.some((modality) => modality !== 'text'),
  },
  /** OpenAI's own, and the one that OpenRouter has taken over from Anthropic. */
  cacheMarks: ['cache_control', 'prompt_cache_breakpoint'],
  fetchedMedia: ['image'],
  schemaPasses: [strictSchemas],
  textForm: 'text',
  supportsStop: (traits) => traits.supportsStop !== false,
  boundUncappedReasoning,
  readCall: (body) => ({ envelope: readChatEnvelope(body), framing: 'sse' }),
  hasForeignTurns: hasForeignMessages,
  requiresConversion,
  readDemand: readChatDemand,
  /** Others who speak it may refuse the member, so it is sent to nobody whose client did not set it. */
  keepNothing: (request) => (Object.hasOwn(request, 'store') ? { store: false } : {}),
  editRequest: (body, envelope, { model, forceUsage, cap, members, traits }) =>
    editChatRequest(body, envelope, {
      model,
      members,
      forceUsage: forceUsage && traits.supportsStreamUsage !== false,
      cap: cap === undefined ? undefined : { field: traits.maxTokensField ?? 'max_tokens', tokens: cap },
    }),
  usagePath: ['usage'],
  createTap: (options) => new ChatStreamTap(options),
  listAnswerInputs: listChatAnswerInputs,
  isAnswer: ({ choices }) => isListOfChoices(choices),
  readAnswerUsage: readChunkUsage,
  listPromptTexts,
  isRefusal: isChatRefusal,
  listProducedTexts: listChatTexts,
  parseUpstreamError: parseOpenAiError,
  renderError: renderOpenAiError,
  renderErrorEvent: renderOpenAiErrorEvent,
};
