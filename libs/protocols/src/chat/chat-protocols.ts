import { anthropicMessages } from '../anthropic-messages/codec.js';
import { editMessagesRequest } from '../anthropic-messages/edit-request.js';
import {
  readAnthropicComplaint,
  renderAnthropicError,
  renderAnthropicErrorEvent,
} from '../anthropic-messages/errors.js';
import { holdsForeignMessages } from '../anthropic-messages/holds-foreign-turns.js';
import { limitMessagesTools } from '../anthropic-messages/limit-tools.js';
import { namesMedia } from '../anthropic-messages/names-media.js';
import { readMessagesDemand } from '../anthropic-messages/read-demand.js';
import { readMessagesProducedText } from '../anthropic-messages/read-produced-text.js';
import { readMessagesPromptText } from '../anthropic-messages/read-prompt-text.js';
import { readMessageUsage } from '../anthropic-messages/read-usage.js';
import { MessagesStreamTap } from '../anthropic-messages/tap-stream.js';
import { converse } from '../bedrock-converse/codec.js';
import { readConverseComplaint } from '../bedrock-converse/errors.js';
import { readConverseProducedText } from '../bedrock-converse/read-produced-text.js';
import { readConverseUsage } from '../bedrock-converse/read-usage.js';
import type { ClientProtocolName, ProtocolName } from '../canonical/blocks.js';
import type { Codec } from '../canonical/codec.js';
import { geminiGenerate } from '../gemini-generate/codec.js';
import { editGeminiRequest } from '../gemini-generate/edit-request.js';
import { readGeminiComplaint, renderGeminiError, renderGeminiErrorEvent } from '../gemini-generate/errors.js';
import { holdsForeignContents } from '../gemini-generate/holds-foreign-turns.js';
import { readGeminiDemand } from '../gemini-generate/read-demand.js';
import { readGeminiProducedText } from '../gemini-generate/read-produced-text.js';
import { readGeminiPromptText } from '../gemini-generate/read-prompt-text.js';
import { readGeminiAnswerUsage } from '../gemini-generate/read-usage.js';
import { GeminiStreamTap } from '../gemini-generate/tap-stream.js';
import { isObject } from '../json.js';
import { openaiChat } from '../openai-chat/codec.js';
import { editChatRequest } from '../openai-chat/edit-request.js';
import { readOpenAiComplaint, renderOpenAiError, renderOpenAiErrorEvent } from '../openai-chat/errors.js';
import { readChatDemand } from '../openai-chat/read-demand.js';
import { readProducedText } from '../openai-chat/read-produced-text.js';
import { holdsForeignMessages as holdsForeignChat } from '../openai-chat/holds-foreign-turns.js';
import { needsOtherWords } from '../openai-chat/needs-other-words.js';
import { readPromptText } from '../openai-chat/read-prompt-text.js';
import { readChunkUsage } from '../openai-chat/read-usage.js';
import { ChatStreamTap } from '../openai-chat/tap-stream.js';
import { openaiCompletions } from '../openai-completions/codec.js';
import { editCompletionRequest } from '../openai-completions/edit-request.js';
import {
  readCompletionComplaint,
  renderCompletionError,
  renderCompletionErrorEvent,
} from '../openai-completions/errors.js';
import { DEFAULT_MAX_TOKENS } from '../openai-completions/read-envelope.js';
import { readCompletionDemand } from '../openai-completions/read-demand.js';
import { readCompletionText } from '../openai-completions/read-produced-text.js';
import { readCompletionPromptText } from '../openai-completions/read-prompt-text.js';
import { readCompletionUsage } from '../openai-completions/read-usage.js';
import { CompletionStreamTap } from '../openai-completions/tap-stream.js';
import { openaiResponses } from '../openai-responses/codec.js';
import { editResponsesRequest } from '../openai-responses/edit-request.js';
import { renderResponsesErrorEvent } from '../openai-responses/errors.js';
import { holdsForeignItems } from '../openai-responses/holds-foreign-turns.js';
import { limitResponsesTools } from '../openai-responses/limit-tools.js';
import { readResponsesDemand } from '../openai-responses/read-demand.js';
import { readResponsesProducedText } from '../openai-responses/read-produced-text.js';
import { readResponsesPromptText } from '../openai-responses/read-prompt-text.js';
import { readResponseUsage } from '../openai-responses/read-usage.js';
import { ResponsesStreamTap } from '../openai-responses/tap-stream.js';
import type { ChatProtocol, UpstreamProtocol } from './chat-protocol.js';

/** Every protocol that clients speak. */
const CHAT_PROTOCOLS: Readonly<Record<ClientProtocolName, ChatProtocol>> = {
  'openai-chat': {
    name: 'openai-chat',
    codec: openaiChat,
    holdsForeignTurns: holdsForeignChat,
    readDemand: readChatDemand,
    needsOtherWords,
    editRequest: (body, envelope, { model, forceUsage, cap, capField }) =>
      editChatRequest(body, envelope, {
        model,
        forceUsage,
        cap: cap === undefined ? undefined : { field: capField, tokens: cap },
      }),
    createTap: (options) => new ChatStreamTap(options),
    isAnswer: (body) => Array.isArray(body.choices),
    readAnswerUsage: readChunkUsage,
    readPromptText,
    readProducedText,
    readComplaint: readOpenAiComplaint,
    renderError: renderOpenAiError,
    renderErrorEvent: renderOpenAiErrorEvent,
  },
  'openai-responses': {
    name: 'openai-responses',
    codec: openaiResponses,
    holdsForeignTurns: holdsForeignItems,
    readDemand: readResponsesDemand,
    limitTools: limitResponsesTools,
    editRequest: editResponsesRequest,
    createTap: () => new ResponsesStreamTap(),
    isAnswer: (body) => Array.isArray(body.output),
    readAnswerUsage: readResponseUsage,
    readPromptText: readResponsesPromptText,
    readProducedText: readResponsesProducedText,
    readComplaint: readOpenAiComplaint,
    renderError: renderOpenAiError,
    renderErrorEvent: renderResponsesErrorEvent,
  },
  'openai-completions': {
    name: 'openai-completions',
    codec: openaiCompletions,
    holdsForeignTurns: () => false,
    readDemand: readCompletionDemand,
    editRequest: (body, { model, maxTokens = DEFAULT_MAX_TOKENS, parsed }, edits) =>
      editCompletionRequest(body, { model, maxTokens, parsed }, edits),
    createTap: (options) => new CompletionStreamTap(options),
    isAnswer: (body) => Array.isArray(body.choices),
    readAnswerUsage: (answer) => readCompletionUsage(answer.usage),
    readPromptText: readCompletionPromptText,
    readProducedText: readCompletionText,
    readComplaint: readCompletionComplaint,
    renderError: renderCompletionError,
    renderErrorEvent: renderCompletionErrorEvent,
  },
  'anthropic-messages': {
    name: 'anthropic-messages',
    codec: anthropicMessages,
    holdsForeignTurns: holdsForeignMessages,
    readDemand: readMessagesDemand,
    limitTools: limitMessagesTools,
    needsOtherWords: (parsed, { mediaByUrl }) => mediaByUrl === false && namesMedia(parsed),
    editRequest: editMessagesRequest,
    createTap: () => new MessagesStreamTap(),
    isAnswer: (body) => Array.isArray(body.content),
    readAnswerUsage: readMessageUsage,
    readPromptText: readMessagesPromptText,
    readProducedText: readMessagesProducedText,
    readComplaint: readAnthropicComplaint,
    renderError: renderAnthropicError,
    renderErrorEvent: renderAnthropicErrorEvent,
  },
  'gemini-generate': {
    name: 'gemini-generate',
    codec: geminiGenerate,
    holdsForeignTurns: holdsForeignContents,
    readDemand: readGeminiDemand,
    editRequest: (body, _envelope, { cap }) => editGeminiRequest(body, { cap }),
    createTap: ({ framing }) => new GeminiStreamTap({ framing }),
    isAnswer: (body) => Array.isArray(body.candidates) || body.promptFeedback !== undefined,
    readAnswerUsage: readGeminiAnswerUsage,
    readPromptText: readGeminiPromptText,
    readProducedText: readGeminiProducedText,
    readComplaint: readGeminiComplaint,
    renderError: renderGeminiError,
    renderErrorEvent: renderGeminiErrorEvent,
  },
};

/** Every protocol that upstreams speak. */
const UPSTREAM_PROTOCOLS: Readonly<Record<ProtocolName, UpstreamProtocol>> = {
  ...CHAT_PROTOCOLS,
  'bedrock-converse': {
    name: 'bedrock-converse',
    codec: converse,
    isAnswer: (body) => isObject(body.output),
    readAnswerUsage: (answer) => readConverseUsage(answer.usage),
    readProducedText: readConverseProducedText,
    readComplaint: readConverseComplaint,
  },
};

export function findChatProtocol(name: ClientProtocolName): ChatProtocol {
  return CHAT_PROTOCOLS[name];
}

export function findUpstreamProtocol(name: ProtocolName): UpstreamProtocol {
  return UPSTREAM_PROTOCOLS[name];
}

export function findCodec(name: ProtocolName): Codec {
  return UPSTREAM_PROTOCOLS[name].codec;
}
