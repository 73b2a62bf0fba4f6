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
export { converse } from './bedrock-converse/codec.js';
export * from './canonical/blocks.js';
export * from './canonical/check-events.js';
export * from './canonical/codec.js';
export { refuseUpstreamRouting } from './canonical/upstream-routing.js';
export { cutReply, findUntoldStops } from './canonical/cut-at-stop.js';
export * from './canonical/events.js';
export { nameField } from './canonical/name-field.js';
export { guessMediaType } from './canonical/media-type.js';
export { keepPlace, placeOf } from './canonical/places.js';
export * from './canonical/reply.js';
export * from './canonical/request.js';
export { listToolOrigins } from './canonical/tool-origin.js';
export * from './framing/aws-event-stream.js';
export * from './framing/event-splitter.js';
export { JsonShape } from './framing/json-shape.js';
export * from './framing/read-events.js';
export { geminiGenerate } from './gemini-generate/codec.js';
export * from './gemini-generate/edit-request.js';
export {
  readGeminiComplaint,
  readGeminiFault,
  renderGeminiError,
  renderGeminiErrorEvent,
} from './gemini-generate/errors.js';
export * from './gemini-generate/read-envelope.js';
export { readGeminiProducedText } from './gemini-generate/read-produced-text.js';
export * from './gemini-generate/read-prompt-text.js';
export { readGeminiUsage } from './gemini-generate/read-usage.js';
export * from './gemini-generate/tap-stream.js';
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
export { readChatEnvelope } from './openai-chat/read-envelope.js';
export * from './openai-chat/read-produced-text.js';
export * from './openai-chat/read-prompt-text.js';
export * from './openai-chat/read-usage.js';
export * from './openai-chat/tap-stream.js';
export { openaiCompletions } from './openai-completions/codec.js';
export { readCompletionEnvelope } from './openai-completions/read-envelope.js';
export { openaiResponses } from './openai-responses/codec.js';
export * from './openai-responses/edit-request.js';
export {
  readResponsesComplaint,
  readResponsesFault,
  renderResponsesError,
  renderResponsesErrorEvent,
} from './openai-responses/errors.js';
export { readResponsesEnvelope, type ResponsesEnvelope } from './openai-responses/read-envelope.js';
export { readResponsesProducedText } from './openai-responses/read-produced-text.js';
export * from './openai-responses/read-prompt-text.js';
export { readResponsesUsage } from './openai-responses/read-usage.js';
export * from './openai-responses/tap-stream.js';
export * from './chat/chat-protocol.js';
export * from './chat/chat-protocols.js';
export * from './chat/converting-stream.js';
export { checkFormNames } from './exchange/check-form-names.js';
export { parseRequestBody } from './canonical/parse-request-body.js';
export { BODY_LIMITS, type JsonLimits } from './strict-json/json-limits.js';
export { JsonScanner, type StringSpan } from './strict-json/json-scanner.js';
export { parseInSlices } from './strict-json/parse-in-slices.js';
export { joinInSlices, stringifyInSlices } from './strict-json/stringify-in-slices.js';
export { GEMINI_NAMES, SNAKE_NAMES } from './strict-json/known-names.js';
export type { NameTable } from './strict-json/name-table.js';
export { rememberScan, scanBody } from './strict-json/scanned-body.js';
export * from './chat/demand.js';
export * from './video/content-link.js';
export * from './video/openai-videos.js';
export { type GenericVideoRequest, readGenericVideoRequest } from './video/read-generic-request.js';
export { type NativeVideoRequest, readNativeVideoRequest } from './video/read-native-request.js';
export * from './video/task-answer.js';
export { holdsTextOption } from './video/text-options.js';
export * from './video/video-order.js';
export * from './video/write-generic-task.js';
export * from './video/write-native-task.js';
export { readSpeech } from './audio/read-speech.js';
export { readTranscription } from './audio/read-transcription.js';
export * from './audio/transcription.js';
export * from './embeddings/read-embeddings.js';
export { readModeration } from './moderation/read-moderation.js';
export { readRerank } from './rerank/read-rerank.js';
export * from './exchange/exchange.js';
export { checkPngHead } from './images/check-image.js';
export * from './images/image.js';
export type { ImageTraits } from './images/image-traits.js';
export { readGeminiImages } from './images/read-gemini-images.js';
export * from './images/read-images.js';
export { MAX_PICTURE_EVENT_BYTES } from './images/tap-images.js';
export { splitForm, type WholePart } from './exchange/split-form.js';
export { gatherBytes, type StoredBytes, type StoredFile } from './exchange/stored-bytes.js';
export { writeForm } from './exchange/write-form.js';
