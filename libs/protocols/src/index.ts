export { anthropicMessages } from './anthropic-messages/codec.js';
export * from './anthropic-messages/edit-request.js';
export {
  readAnthropicComplaint,
  readAnthropicFault,
  renderAnthropicError,
  renderAnthropicErrorEvent,
} from './anthropic-messages/errors.js';
export * from './anthropic-messages/read-envelope.js';
export * from './anthropic-messages/read-produced-text.js';
export * from './anthropic-messages/read-prompt-text.js';
export { readMessagesUsage } from './anthropic-messages/read-usage.js';
export * from './anthropic-messages/tap-stream.js';
export * from './canonical/blocks.js';
export * from './canonical/check-events.js';
export * from './canonical/codec.js';
export * from './canonical/events.js';
export * from './canonical/reply.js';
export * from './canonical/request.js';
export * from './framing/event-splitter.js';
export * from './framing/read-events.js';
export * from './json.js';
export { openaiChat } from './openai-chat/codec.js';
export * from './openai-chat/edit-request.js';
export {
  readOpenAiComplaint,
  readOpenAiFault,
  renderOpenAiError,
  renderOpenAiErrorEvent,
  type UpstreamComplaint,
} from './openai-chat/errors.js';
export * from './openai-chat/read-envelope.js';
export * from './openai-chat/read-produced-text.js';
export * from './openai-chat/read-prompt-text.js';
export * from './openai-chat/read-usage.js';
export * from './openai-chat/tap-stream.js';
