import { ALL_MEDIA, type ChatProtocol } from '../chat/chat-protocol.js';
import { codec } from './codec.js';
import { editGeminiRequest } from './edit-request.js';
import { isListOfChoices } from '../canonical/limit-items.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { renderGeminiError, renderGeminiErrorEvent } from './errors.js';
import { fieldNames } from './field-names.js';
import { fileReferences } from './file-references.js';
import { hasForeignContents } from './has-foreign-turns.js';
import { isGeminiRefusal } from './is-refusal.js';
import { listGeminiAnswerInputs, listGeminiInputs, listOpenApiSchemas } from './list-inputs.js';
import { geminiLogprobs } from './logprobs.js';
import { readGeminiCall } from './read-call.js';
import { readGeminiDemand, SEARCH } from './read-demand.js';
import { listGeminiTexts } from './read-produced-text.js';
import { listGeminiPromptTexts } from './read-prompt-text.js';
import { readGeminiAnswerUsage } from './read-usage.js';
import { GeminiStreamTap } from './tap-stream.js';
import { knownSchemas, openApiSchemas } from './schema.js';
import type { GeminiGenerateTraits } from './traits.js';

/**
 * Google's `generateContent` and `streamGenerateContent`.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const geminiGenerate: ChatProtocol<GeminiGenerateTraits> = {
  name: 'gemini-generate',
  codec,
  files: fileReferences,
  fieldNames,
  bindingFields: {
    cachedContent: () => true,
    'generationConfig.responseModalities': () => true,
    'generationConfig.speechConfig': () => true,
    'generationConfig.imageConfig': () => true,
    'generationConfig.responseMimeType': () => true,
  },
  cacheMarks: [],
  searchAtWill: SEARCH,
  takesObjects: true,
  takesResultObjects: true,
  listInputs: listGeminiInputs,
  listAnswerInputs: listGeminiAnswerInputs,
  logprobs: geminiLogprobs,
  ownSchemas: { list: listOpenApiSchemas, pass: openApiSchemas },
  fetchedMedia: ALL_MEDIA,
  schemaPasses: [knownSchemas],
  textForm: 'base64',
  readCall: readGeminiCall,
  hasForeignTurns: hasForeignContents,
  readDemand: readGeminiDemand,
  editRequest: (body, { parsed }, { cap, cachedContent }) =>
    editGeminiRequest(body, { cap, cachedContent, parsed }),
  usagePath: ['usageMetadata'],
  createTap: ({ framing }) => new GeminiStreamTap({ framing }),
  isAnswer: ({ candidates, promptFeedback }) =>
    Array.isArray(candidates) ? isListOfChoices(candidates) : promptFeedback !== undefined,
  readAnswerUsage: readGeminiAnswerUsage,
  listPromptTexts: listGeminiPromptTexts,
  isRefusal: isGeminiRefusal,
  listProducedTexts: listGeminiTexts,
  parseUpstreamError: parseGeminiError,
  renderError: renderGeminiError,
  renderErrorEvent: renderGeminiErrorEvent,
};
