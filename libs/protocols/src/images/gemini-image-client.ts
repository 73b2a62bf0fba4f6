import { GatewayError } from '@mg/contract';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { Framing } from '../chat/chat-protocol.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import { answerJson, answerPieces } from '../exchange/write-json.js';
import { editGeminiRequest } from '../gemini-generate/edit-request.js';
import { writeGeminiUsage } from '../gemini-generate/read-usage.js';
import type { JsonObject } from '../json.js';
import { countGeminiImages, geminiImageChannel, listGeminiImages } from './gemini-images.js';
import type { ImageReply, ImageRequest, ImageResult } from './image.js';
import { MAX_PROMPT_CHARACTERS } from './request-schema.js';

/** A request for images in Google's format. */
export interface GeminiImageRequest extends ImageRequest {
  /** Turns of the conversation; other providers know one. */
  readonly turns: number;
  /** What only Google's channels can do. */
  readonly binding: readonly string[];
  /** What only Google's channels can do, and may be left out. */
  readonly hints: readonly string[];
  readonly framing: Framing;
}

/** A reply, with Google's own answer where it was Google that answered. */
export interface GeminiImageReply extends ImageReply {
  readonly own?: JsonObject;
}

/** What clients of Google call what other providers find fault with. */
const WORDS: Readonly<Record<string, string>> = {
  prompt: 'contents',
  n: 'generationConfig.candidateCount',
  size: 'generationConfig.imageConfig',
};

/** Images towards clients of Google's protocol, as parts of an answer. */
export const geminiImageClient: ClientFormat<GeminiImageRequest, GeminiImageReply> = {
  protocol: 'gemini-images',
  encodeReply: (reply, request) => {
    const answer = reply.own ?? writeAnswer(reply, request);
    if (!request.stream) return answerJson(answer);
    return request.framing === 'sse'
      ? answerPieces('text/event-stream; charset=utf-8', ['data: ', answer, '\n\n'])
      : answerPieces('application/json; charset=utf-8', ['[', answer, ']']);
  },
  // The model stands in the path.
  rename: (body) =>
    body.kind === 'json'
      ? { contentType: 'application/json', bytes: editGeminiRequest(body.bytes, { cap: undefined }) }
      : throwUpstreamError('Nothing is converted.'),
  // One image is one event: it is asked for as a whole, and forwarded as a stream.
  fits: (_answer, { stream }) => !stream,
};

/** Google's channels for Google's clients: a refusal, a question back or an image, the answer is theirs as it is. */
export const geminiOwnImages: ChannelFormat<GeminiImageRequest, GeminiImageReply> = {
  encodeRequest: () => throwUpstreamError('Nothing is converted.'),
  decodeReply: ([answer]) => {
    const own = answer?.parsed;
    if (own === undefined || (own.candidates === undefined && own.promptFeedback === undefined)) {
      return throwUpstreamError('The upstream answered neither an image nor why there is none.');
    }
    const images = listGeminiImages(own);
    const usage = countGeminiImages(own.usageMetadata, images.length);
    return { created: 0, images, usage, facts: {}, own };
  },
  parseUpstreamError: geminiImageChannel.parseUpstreamError,
};

/** A channel of another maker for clients of Google: asked for what it can do, and errors name the client's fields. */
export function forGoogleClients(
  channel: ChannelFormat<ImageRequest, ImageReply>,
): ChannelFormat<GeminiImageRequest, GeminiImageReply> {
  return {
    encodeRequest: (request, target) => {
      refuseForeign(request, target.channelType);
      for (const name of request.hints) target.dropped.add(name);
      const { size } = request;
      const fields = size ? { ...request.fields, size: `${size.width}x${size.height}` } : request.fields;
      return renameRefusedFields(() => channel.encodeRequest({ ...request, stream: false, fields }, target));
    },
    decodeReply: (answers, request) => renameRefusedFields(() => channel.decodeReply(answers, request)),
    parseUpstreamError: (body) => {
      const error = channel.parseUpstreamError(body);
      return { ...error, param: error.param && (WORDS[error.param] ?? error.param) };
    },
  };
}

function refuseForeign({ turns, binding, prompt, images }: GeminiImageRequest, channelType: string): void {
  const [name] = binding;
  if (name !== undefined) refuseField(name, `cannot be used with a channel of type ${channelType}`);
  if (turns > 1) refuseField('contents', `may hold one turn for a channel of type ${channelType}`);
  if (prompt.length > MAX_PROMPT_CHARACTERS) {
    refuseField('contents', `may hold ${MAX_PROMPT_CHARACTERS} characters of text at most`);
  }
  if (prompt.trim() === '') refuseField('contents', `must hold a text for a channel of type ${channelType}`);
  if (images.some((image) => image.kind === 'file' || isNotImage(image))) {
    refuseField('contents', `may hold images and texts alone for a channel of type ${channelType}`);
  }
}

function isNotImage(image: ImageRequest['images'][number]): boolean {
  return 'mediaType' in image && !image.mediaType.startsWith('image/');
}

function renameRefusedFields<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const param = error instanceof GatewayError && error.param !== undefined ? WORDS[error.param] : undefined;
    if (param === undefined || !(error instanceof GatewayError)) throw error;
    throw new GatewayError(error.code, error.message, { param });
  }
}

/** @see https://ai.google.dev/api/generate-content#generatecontentresponse */
function writeAnswer({ images, usage, facts }: ImageReply, { model }: GeminiImageRequest): JsonObject {
  const type = `image/${typeof facts.output_format === 'string' ? facts.output_format : 'png'}`;
  const parts = images.map((image) => writePart(image, image.mediaType ?? type));
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: writeGeminiUsage(usage),
    modelVersion: model,
  };
}

function writePart({ base64, url }: ImageResult, mimeType: string): JsonObject {
  return base64 === undefined
    ? { fileData: { mimeType, fileUri: url } }
    : { inlineData: { mimeType, data: base64 } };
}
