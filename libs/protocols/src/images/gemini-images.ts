import { NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { limitAnswer, readDetails } from '../canonical/limit-items.js';
import { readObject, readObjects } from '../canonical/read-fields.js';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat } from '../exchange/create-exchange.js';
import { writeJsonWithFiles } from '../exchange/write-json.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { countGeminiItems } from '../gemini-generate/count-items.js';
import { readGeminiUsage } from '../gemini-generate/read-usage.js';
import { isObject, type JsonObject } from '../json.js';
import { isText } from '../strict-json/joined-text.js';
import { nameAspectRatio, nameResolution } from './aspect-ratio.js';
import {
  type ImageReply,
  type ImageRequest,
  type ImageResult,
  type ImageSource,
  readImageType,
  readReason,
  toImageBase64,
} from './image.js';

/** Members that are read, or mean what Gemini does anyway. */
const READ = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream', 'partial_images']);
/** Endings that say that the model would not, rather than that it failed. */
const REFUSED = /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|SPII|IMAGE_OTHER/;

/**
 * Images by a Gemini model that answers with them: one for each request.
 *
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 */
export const geminiImageChannel: ChannelFormat<ImageRequest, ImageReply> = {
  encodeRequest: (request, { channelType, dropped }) => {
    const cannot = `cannot be used with a channel of type ${channelType}`;
    if (request.count > 1) refuseField('n', `must be 1 for a channel of type ${channelType}`);
    if (request.mask) refuseField('mask', cannot);
    if (request.fields.background === 'transparent') refuseField('background', `transparent ${cannot}`);
    for (const name of Object.keys(request.fields)) if (!READ.has(name)) dropped.add(name);
    const { size } = request;
    return [
      writeJsonWithFiles({
        contents: [
          {
            role: 'user',
            parts: [
              ...request.images.map((image, index) => writeImage(image, index, channelType)),
              { text: request.prompt },
            ],
          },
        ],
        generationConfig: omitUndefined({
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: size
            ? { aspectRatio: nameAspectRatio(size), imageSize: nameResolution(size) }
            : undefined,
        }),
      }),
    ];
  },
  decodeReply: ([answer]) => {
    limitAnswer(countGeminiItems(answer?.parsed ?? {}));
    const candidate = readCandidate(answer?.parsed);
    const images = listParts(candidate).flatMap(readImage);
    if (images.length === 0) refuseEmpty(candidate);
    return {
      created: Math.floor(Date.now() / 1_000),
      images,
      usage: countGeminiImages(answer?.parsed?.usageMetadata, images.length),
      facts: { output_format: (images[0]?.mediaType ?? 'image/png').replace('image/', '') },
    };
  },
  parseUpstreamError: parseGeminiError,
};

/** Images of all candidates. @throws GatewayError `upstream_error` where an answer holds more than is converted. */
export function listGeminiImages(answer: JsonObject): ImageResult[] {
  limitAnswer(countGeminiItems(answer));
  return readObjects(answer.candidates).flatMap(listParts).flatMap(readImage);
}

/** What an answer with so many images used. */
export function countGeminiImages(meta: unknown, images: number): Usage {
  const usage = readGeminiUsage(meta) ?? NO_USAGE;
  return {
    ...usage,
    images,
    imageInputTokens: readModality(meta, 'promptTokensDetails') ?? 0,
    // What is not distinguished is image, the more expensive of the two.
    imageOutputTokens:
      readModality(meta, 'candidatesTokensDetails') ?? usage.outputTokens - usage.reasoningTokens,
  };
}

function writeImage(image: ImageSource, index: number, channelType: string): JsonObject {
  if (image.kind === 'url' || image.kind === 'file') {
    return refuseField(
      `images[${index}]`,
      `must be sent as a data URL or in a form to a channel of type ${channelType}`,
    );
  }
  return { inlineData: { mimeType: image.mediaType, data: toImageBase64(image) } };
}

function readCandidate(body: JsonObject | undefined): JsonObject {
  const feedback = isObject(body?.promptFeedback) ? body.promptFeedback : {};
  const blockReason = readReason(feedback.blockReason);
  if (blockReason !== undefined) {
    return refusePrompt(readReason(feedback.blockReasonMessage) ?? blockReason);
  }
  const [candidate] = Array.isArray(body?.candidates) ? (body.candidates as unknown[]) : [];
  return isObject(candidate) ? candidate : throwUpstreamError('The upstream answered without an image.');
}

function listParts({ content }: JsonObject): JsonObject[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
}

/** Images that a model thinks with are not its answer. */
function readImage({ inlineData, thought }: JsonObject): ImageResult[] {
  if (thought === true || !isObject(inlineData)) return [];
  const { mimeType, data } = inlineData;
  const mediaType = readImageType(mimeType);
  return isText(data) && mediaType?.startsWith('image/') ? [{ base64: data, mediaType }] : [];
}

function refuseEmpty(candidate: JsonObject): never {
  const { finishMessage } = candidate;
  const finishReason = readReason(candidate.finishReason);
  if (finishReason === undefined || !REFUSED.test(finishReason)) {
    throwUpstreamError('The upstream answered without an image.');
  }
  const text = listParts(candidate).find((part) => typeof part.text === 'string')?.text;
  return refusePrompt(readReason(finishMessage) ?? readReason(text) ?? finishReason);
}

function refusePrompt(said: string): never {
  return refuseField('prompt', `was refused by the provider: ${said}`);
}

function readModality(meta: unknown, name: string): number | undefined {
  const image = readDetails(readObject(meta)?.[name]).find(({ modality }) => modality === 'IMAGE');
  return image && toCount(image.tokenCount);
}
