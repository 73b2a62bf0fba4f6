// Chat protocols and their conversion.
export type {
  ChatProtocol,
  Framing,
  StreamOpening,
  StreamReader,
  UpstreamProtocol,
} from './chat/chat-protocol.js';
export type { ChatEnvelope } from './chat/chat-envelope.js';
export type { ConversationMemory, References } from './chat/conversation-memory.js';
export type { FileReference, FileReferences } from './chat/file-references.js';
export {
  type ClientProtocolName,
  findChatProtocol,
  findCodec,
  findUpstreamProtocol,
  listChatProtocols,
  type ProtocolName,
  type TraitsOf,
} from './chat/chat-protocols.js';
export { ConvertingStream } from './chat/converting-stream.js';
export { nameConversation } from './chat/name-conversation.js';
export { type Demand, type HostedTool, readTier } from './chat/demand.js';
export { readMessagesEnvelope } from './anthropic-messages/read-envelope.js';
export { readGeminiEnvelope } from './gemini-generate/read-envelope.js';
export { parseOpenAiError } from './openai-chat/errors.js';

// The canonical form.
export type { Block, MediaBlock, Signature } from './canonical/blocks.js';
export type { Dropped, ReplyContext, SourceFormat } from './canonical/codec.js';
export { isContentRefusal } from './canonical/content-refusal.js';
export { isContextOverflow } from './canonical/context-overflow.js';
export { digestId } from './canonical/digest-id.js';
export {
  hasLongInputs,
  readArgumentsInSlices,
  readReplyArgumentsInSlices,
  writeArgumentsInSlices,
} from './canonical/arguments-in-slices.js';
export { limitReply } from './canonical/limit-answer.js';
export { limitCitations } from './canonical/limit-citations.js';
export { cutReply, findUnsupportedStops } from './canonical/cut-at-stop.js';
export type { CanonicalEvent } from './canonical/events.js';
export { readResultsInSlices } from './canonical/results-in-slices.js';
export { noteSchemasInSlices } from './canonical/schemas-in-slices.js';
export { runAtOnce, runInSlices, type Steps } from './canonical/steps.js';
export { FileMarks } from './canonical/file-marks.js';
export { convertMediaInSlices, hasMediaToConvert } from './canonical/media-in-slices.js';
export { guessMediaType, isTextType } from './canonical/media-type.js';
export type { ModelTraits } from './canonical/model-traits.js';
export { nameField } from './canonical/name-field.js';
export { type FaultClass, readFaultClass } from './canonical/read-fault-class.js';
export { parseRequestBody } from './canonical/parse-request-body.js';
export { placeAt, placeOf } from './canonical/places.js';
export type { CanonicalReply } from './canonical/reply.js';
export type { CanonicalRequest, ReasoningEffort } from './canonical/request.js';
export { readPiecesInSlices, type TextPieces } from './canonical/text-pieces.js';
export { listToolOrigins } from './canonical/tool-origin.js';
export type { UpstreamError } from './canonical/upstream-error.js';
export { refuseUpstreamRouting } from './canonical/upstream-routing.js';

// Bytes: framing of streams, and JSON that every server reads alike.
export { AwsEventStreamReader, FrameError } from './framing/aws-event-stream.js';
export { EventSplitter, EventTooLargeError } from './framing/event-splitter.js';
export { ANSWER_SHAPE, JsonShape, type ShapeLimits, VECTOR_SHAPE } from './framing/json-shape.js';
export { readEvents } from './framing/read-events.js';
export { writeCost } from './framing/write-cost.js';
export { isObject, type JsonObject, keepIntegers, parseObject } from './json.js';
export { BODY_LIMITS } from './strict-json/json-limits.js';
export type { JoinedText } from './strict-json/joined-text.js';
export { JsonOutline } from './strict-json/json-outline.js';
export { JsonScanner } from './strict-json/json-scanner.js';
export { GEMINI_NAMES, SNAKE_NAMES } from './strict-json/known-names.js';
export { NameTable } from './strict-json/name-table.js';
export { parseAnswerInSlices, parseInSlices } from './strict-json/parse-in-slices.js';
export { readObjectInSlices } from './strict-json/read-object-in-slices.js';
export { rewriteInSlices } from './strict-json/rewrite-in-slices.js';
export { countParts, rememberScan } from './strict-json/scanned-body.js';
export { joinInSlices } from '@mg/contract';
export {
  cutBytes,
  decodeBase64InSlices,
  decodeSlices,
  encodeBase64InSlices,
  encodePieces,
  isStandardBase64,
} from './standard-base64.js';
export { stringifyInSlices } from './strict-json/stringify-in-slices.js';

// Sessions over a WebSocket, event by event.
export { betaWords } from './realtime/beta-words.js';
export { geminiLive } from './realtime/gemini-live/gemini-live.js';
export { type LiveSetup, readLiveSetup } from './realtime/gemini-live/read-setup.js';
export { openAiRealtime } from './realtime/openai-realtime.js';
export { parseLongServerMessage } from './realtime/parse-server-message.js';
export { LONGEST_FAILURE_BYTES } from './realtime/read-server-event.js';
export {
  openAiTranscription,
  readTranscriptionSetup,
  REALTIME_BETA,
  renderTranscriptionCreated,
} from './realtime/openai-transcription.js';
export type {
  AudioRates,
  RealtimeClientEvent,
  RealtimeServerEvent,
  ServerEventReader,
  SessionProtocol,
  SessionWords,
} from './realtime/session-protocol.js';

// What is asked once and answered once: embeddings, reranking, moderation, images, audio.
export { readSpeech } from './audio/read-speech.js';
export { readTranscription } from './audio/read-transcription.js';
export type { Recording } from './audio/transcription.js';
export {
  readGeminiEmbedding,
  readGeminiEmbeddings,
  readOpenAiEmbeddings,
} from './embeddings/read-embeddings.js';
export { boundBytes } from './exchange/bound-bytes.js';
export { checkFormNames } from './exchange/check-form-names.js';
export type {
  Exchange,
  ExchangeAnswer,
  ExchangeBody,
  ExchangeOperation,
  ExchangeProtocol,
  ExchangeTraits,
  NameAddress,
  FormPart,
  OpenVariant,
  OutgoingBody,
  PreparedCall,
  UpstreamAnswer,
} from './exchange/exchange.js';
export { splitForm, type WholePart } from './exchange/split-form.js';
export { gatherBytes, type StoredBytes, type StoredFile } from './exchange/stored-bytes.js';
export { writeForm } from './exchange/write-form.js';
export { type StoredBase64, toBase64Text, writeJsonWithFiles } from './exchange/write-json.js';
export { checkPngHead } from './images/check-image.js';
export { imageFiles } from './images/file-references.js';
export { isImage } from './images/image.js';
export { checkImageLink, deriveImageKeys, type ImageKeys, signImageLink } from './images/image-link.js';
export type { ImageTraits } from './images/image-traits.js';
export { readGeminiImages } from './images/read-gemini-images.js';
export {
  readImageEdit,
  readImageEditForm,
  readImageGeneration,
  readImageVariation,
} from './images/read-images.js';
export { MAX_IMAGE_EVENT_BYTES } from './images/tap-images.js';
export { readModeration } from './moderation/read-moderation.js';
export { readRerank } from './rerank/read-rerank.js';

// Files and batches.
export type { LineAnswer, Unanswered } from './batches/batch.js';
export type { GoogleBatchInput } from './batches/read-google-batch.js';
export { readFileUpload, writeFile } from './batches/files.js';
export { frameGoogleBatch, isFiled, writeGoogleBatch } from './batches/google-batch.js';
export { readAnthropicFile, writeAnthropicFile } from './batches/anthropic-files.js';
export {
  anthropicFile,
  anthropicFileForm,
  anthropicFiles,
  deletedAnthropicFile,
} from './batches/anthropic-file-schema.js';
export {
  chooseGooglePurpose,
  readMimeType,
  readNewGoogleFile,
  writeGoogleFile,
} from './batches/google-files.js';
export {
  googleFile,
  googleFiles,
  googleUpload,
  newGoogleFile,
  noGoogleFile,
} from './batches/google-file-schema.js';
export { GOOGLE_BATCH_FILE, readGoogleBatch } from './batches/read-google-batch.js';
export {
  CACHED_SECONDS,
  editNewCachedContent,
  type NewCachedContentCall,
  readCachedContentChange,
  readCachedContentId,
  readKeptContent,
  readNewCachedContent,
  writeCachedContent,
} from './gemini-generate/cached-content.js';
export {
  readUploadCompletion,
  readUploadPart,
  readUploadRequest,
  writeUpload,
  writeUploadPart,
} from './batches/uploads.js';
export { readMessageBatch, writeMessageBatch } from './batches/message-batch.js';
export { MAX_LINE_BYTES } from './batches/line-limits.js';
export { readOpenAiBatch, writeOpenAiBatch } from './batches/openai-batch.js';
export { nameTag, readLine } from './batches/read-line.js';
export { writeResult, writeUnanswered } from './batches/write-result.js';

// Videos.
export {
  checkLink,
  contentPath,
  deriveTaskKey,
  deriveWebhookSecret,
  linkTask,
  listWebhookSecrets,
  namePublicTask,
  proveLink,
  type TaskKey,
} from './video/content-link.js';
export {
  readOpenAiVideo,
  readRemixPrompt,
  readVideoForm,
  REMIXED_FROM,
  writeOpenAiVideo,
} from './video/openai-videos.js';
export { keepReported } from './video/keep-reported.js';
export { readGenericVideoRequest } from './video/read-generic-request.js';
export { readNativeVideoRequest } from './video/read-native-request.js';
export { type GatewayExtras, type TaskLinks, toUnixSeconds } from './video/task-answer.js';
export { hasTextOption } from './video/text-options.js';
export { labelSize, type RemixSource, type VideoOrder } from './video/video-order.js';
export { writeGenericTask } from './video/write-generic-task.js';
export {
  NATIVE_TASK_STATUSES,
  nativeStatusToStates,
  type NativeTaskStatus,
  writeNativeTask,
} from './video/write-native-task.js';

// Schemas of requests and answers, which describe them in the documentation.
export { countTokensRequest, messagesRequest } from './anthropic-messages/request-schema.js';
export {
  anthropicModel,
  anthropicModels,
  countTokensResponse,
  messagesEvent,
  messagesResponse,
} from './anthropic-messages/response-schema.js';
export { batch, batches, batchRequest } from './batches/batch-schema.js';
export {
  deletedMessageBatch,
  messageBatch,
  messageBatches,
  messageBatchRequest,
} from './batches/message-batch-schema.js';
export { googleBatch, googleBatches, googleBatchRequest, noContent } from './batches/google-batch-schema.js';
export {
  upload,
  uploadCompletion,
  uploadPart,
  uploadPartForm,
  uploadRequest,
} from './batches/upload-schema.js';
export {
  deletedFile,
  fileForm,
  isNamed,
  SHOWN_PURPOSES,
  storedFile,
  storedFiles,
} from './batches/file-schema.js';
export { speechRequest, transcriptionRequest } from './audio/request-schema.js';
export { speechEvent, transcriptionEvent, transcriptionResponse } from './audio/response-schema.js';
export {
  batchEmbedContentsRequest,
  embedContentRequest,
  embeddingRequest,
} from './embeddings/request-schema.js';
export {
  batchEmbedContentsResponse,
  embedContentResponse,
  embeddingResponse,
} from './embeddings/response-schema.js';
export {
  cachedContent,
  cachedContentChange,
  cachedContents,
  newCachedContent,
  noCachedContent,
} from './gemini-generate/cached-content-schema.js';
export { geminiCountTokensRequest, generateContentRequest } from './gemini-generate/request-schema.js';
export {
  geminiCountTokensResponse,
  geminiError,
  geminiModel,
  geminiModels,
  generateContentResponse,
} from './gemini-generate/response-schema.js';
export {
  imageEditForm,
  imageEditRequest,
  imageRequest,
  imageVariationForm,
} from './images/request-schema.js';
export { imageEvent, imageResponse } from './images/response-schema.js';
export { moderationRequest } from './moderation/request-schema.js';
export { moderationResponse } from './moderation/response-schema.js';
export { chatRequest } from './openai-chat/request-schema.js';
export {
  chatCompletion,
  chatCompletionChunk,
  openAiError,
  openAiModel,
  openAiModels,
} from './openai-chat/response-schema.js';
export { completionRequest } from './openai-completions/request-schema.js';
export { textCompletion } from './openai-completions/response-schema.js';
export {
  readSummary,
  openTriggeredCompaction,
  writeCompaction,
  writeSummaryRequest,
  writeTriggeredCompaction,
} from './openai-responses/compaction.js';
export { readCompactEnvelope } from './openai-responses/read-envelope.js';
export {
  changedConversation,
  conversationAnswer,
  conversationItem,
  deletedConversation,
  newConversation,
  newConversationItems,
} from './openai-responses/conversation-schema.js';
export {
  readChangedConversation,
  readNewConversation,
  readNewItems,
} from './openai-responses/read-conversation.js';
export { compactRequest, responsesRequest } from './openai-responses/request-schema.js';
export {
  compactedResponse,
  deletedResponse,
  responseEvent,
  responseInputItems,
  responseInputTokens,
  responsesResponse,
} from './openai-responses/response-schema.js';
export { rerankRequest } from './rerank/request-schema.js';
export { rerankResponse } from './rerank/response-schema.js';
export { toJsonSchemas } from './schema/json-schema.js';
export {
  MAX_VIDEO_FORM_FIELDS,
  nativeVideoRequest,
  openAiVideoForm,
  openAiVideoRequest,
  videoRemixRequest,
  videoRequest,
} from './video/request-schema.js';
export {
  deletedVideo,
  nativeVideoTask,
  nativeVideoTasks,
  noTask,
  openAiVideo,
  openAiVideos,
  videoTask,
  webhookSecret,
} from './video/response-schema.js';
