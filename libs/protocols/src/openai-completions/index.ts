import { ALL_MEDIA, type ChatProtocol } from '../chat/chat-protocol.js';
import { parseOpenAiError, renderOpenAiError, renderOpenAiErrorEvent } from '../openai-chat/errors.js';
import { isChatRefusal } from '../openai-chat/map-stop-reason.js';
import { codec } from './codec.js';
import { editCompletionRequest } from './edit-request.js';
import { completionLogprobs } from './logprobs.js';
import { readCompletionDemand } from './read-demand.js';
import { readCompletionEnvelope } from './read-envelope.js';
import { DEFAULT_MAX_TOKENS, MOST_COMPLETIONS } from './request-schema.js';
import { listCompletionTexts } from './read-produced-text.js';
import { listCompletionPromptTexts } from './read-prompt-text.js';
import { readCompletionUsage } from './read-usage.js';
import { CompletionStreamTap } from './tap-stream.js';
import type { OpenAiCompletionsTraits } from './traits.js';

/**
 * OpenAI's text completions. Errors are those of chat completions.
 *
 * @see https://platform.openai.com/docs/api-reference/completions
 */
export const openaiCompletions: ChatProtocol<OpenAiCompletionsTraits> = {
  name: 'openai-completions',
  path: '/v1/completions',
  codec,
  fieldNames: {},
  bindingFields: {
    prompt: () => true,
    suffix: (value) => value !== '',
    echo: (value) => value === true,
    best_of: (value) => typeof value === 'number' && value > 1,
  },
  cacheMarks: [],
  logprobs: completionLogprobs,
  fetchedMedia: ALL_MEDIA,
  readCall: (body) => ({ envelope: readCompletionEnvelope(body), framing: 'sse' }),
  hasForeignTurns: () => false,
  readDemand: readCompletionDemand,
  editRequest: (body, { model, maxTokens = DEFAULT_MAX_TOKENS, parsed }, edits) =>
    editCompletionRequest(
      body,
      { model, maxTokens, parsed },
      { model: edits.model, forceUsage: edits.forceUsage && edits.traits.supportsStreamUsage !== false },
    ),
  usagePath: ['usage'],
  createTap: (options) => new CompletionStreamTap(options),
  isAnswer: ({ choices }) => Array.isArray(choices) && choices.length <= MOST_COMPLETIONS,
  readAnswerUsage: (answer) => readCompletionUsage(answer.usage),
  listPromptTexts: listCompletionPromptTexts,
  isRefusal: isChatRefusal,
  listProducedTexts: listCompletionTexts,
  parseUpstreamError: parseOpenAiError,
  renderError: renderOpenAiError,
  renderErrorEvent: renderOpenAiErrorEvent,
};
