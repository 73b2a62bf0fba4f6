import { isPlausible, NO_USAGE, toCount, type Usage } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';
import type { OpenVariant } from '../exchange/exchange.js';
import type { ImageRequest } from './image.js';

/** The densest images have a token for this many pixels; those of low and middling quality fewer. */
const PIXELS_PER_TOKEN: Readonly<Record<string, number>> = { low: 3_855, medium: 993, high: 252 };
const DENSEST_PIXELS_PER_TOKEN = 200;
/** Area of an image whose size the model chooses. */
const USUAL_PIXELS = 1024 * 1024;
const LARGEST_USUAL_PIXELS = 1536 * 1024;
/** Thoughts, texts and previews around an image. */
const MOST_TOKENS_BESIDE = 2_000;
/** Tokens of an image to work on. */
const MOST_TOKENS_PER_INPUT = 8_000;
const USUAL_TOKENS_PER_INPUT = 1_000;
const FRAMING_TOKENS = 64;
const USUAL_BYTES_PER_TOKEN = 4;

/** A large image in base64. */
export const USUAL_ANSWER_BYTES = 3 * 1024 * 1024;

/** Most that a call may use: no tokenizer makes more tokens of a text than it has bytes. */
export function boundImageUsage(request: ImageRequest): Usage {
  const imageTokens = countInputs(request) * MOST_TOKENS_PER_INPUT;
  const perImage = Math.ceil(areaOf(request, LARGEST_USUAL_PIXELS) / DENSEST_PIXELS_PER_TOKEN);
  return {
    ...NO_USAGE,
    images: request.count,
    inputTokens: Buffer.byteLength(request.prompt) + imageTokens + FRAMING_TOKENS,
    imageInputTokens: imageTokens,
    outputTokens: request.count * (perImage + MOST_TOKENS_BESIDE),
  };
}

/** What a call probably used where the upstream reports no tokens. */
export function estimateImageUsage(request: ImageRequest): Usage {
  const pixelsPerToken = PIXELS_PER_TOKEN[request.quality ?? 'medium'] ?? PIXELS_PER_TOKEN.medium ?? 1;
  const made = request.count * Math.ceil(areaOf(request, USUAL_PIXELS) / pixelsPerToken);
  const imageTokens = countInputs(request) * USUAL_TOKENS_PER_INPUT;
  return {
    ...NO_USAGE,
    images: request.count,
    inputTokens: Math.ceil(Buffer.byteLength(request.prompt) / USUAL_BYTES_PER_TOKEN) + imageTokens,
    imageInputTokens: imageTokens,
    outputTokens: made,
    imageOutputTokens: made,
  };
}

/** `1024x1536/high`, then `high`, then `1024x1536`: what the client leaves to the model names no variant. */
export function listPriceVariants({ size, quality }: ImageRequest): string[] {
  const area = size && `${size.width}x${size.height}`;
  return [area && quality ? `${area}/${quality}` : undefined, quality, area].filter(
    (name) => name !== undefined,
  );
}

const SIZE = /^\d+x\d+$/;
/** Of a variant that an upstream names: it is written down with what the call used. */
const LONGEST_VARIANT = 128;

/** The choice of size and quality that a request leaves to the model; `undefined` where it says both. */
export function readOpenVariant({ size, quality, fields }: ImageRequest): OpenVariant | undefined {
  if (size !== undefined && quality !== undefined) return undefined;
  const area = size && `${size.width}x${size.height}`;
  return {
    mayBe: (variant) =>
      variant.split('/').every((part) => {
        const said = SIZE.test(part) ? area : quality;
        return said === undefined || said === part;
      }),
    isAsked: fields.size === 'auto' || fields.quality === 'auto',
  };
}

/** The variant that an answer, or an event of its stream, says its images are of. */
export function readDrawnVariant({ size, quality }: JsonObject): Pick<Usage, 'variant'> {
  if (typeof size !== 'string' || typeof quality !== 'string') return {};
  const variant = `${size}/${quality}`;
  return variant.length <= LONGEST_VARIANT ? { variant } : {};
}

/** Reads OpenAI's usage of images; all output is image unless the upstream reports what was text. */
export function readImageTokens(usage: unknown): Partial<Usage> {
  if (!isObject(usage) || !isPlausible(usage.output_tokens) || !isPlausible(usage.input_tokens)) return {};
  const outputTokens = toCount(usage.output_tokens);
  const written = outputTokens - toCount(detailOf(usage, 'output_tokens_details', 'text_tokens'));
  return {
    inputTokens: toCount(usage.input_tokens),
    cachedInputTokens: toCount(detailOf(usage, 'input_tokens_details', 'cached_tokens')),
    imageInputTokens: toCount(detailOf(usage, 'input_tokens_details', 'image_tokens')),
    outputTokens,
    imageOutputTokens: Math.max(0, written),
  };
}

/** Usage in OpenAI's format; `undefined` where no tokens are known. */
export function writeImageTokens(usage: Usage): JsonObject | undefined {
  const { inputTokens, outputTokens, imageInputTokens = 0, imageOutputTokens = outputTokens } = usage;
  if (inputTokens + outputTokens === 0) return undefined;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { image_tokens: imageInputTokens, text_tokens: inputTokens - imageInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { image_tokens: imageOutputTokens, text_tokens: outputTokens - imageOutputTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function countInputs({ images, mask }: ImageRequest): number {
  return images.length + (mask ? 1 : 0);
}

function areaOf({ size }: ImageRequest, unknown: number): number {
  return size ? size.width * size.height : unknown;
}

function detailOf(usage: JsonObject, details: string, name: string): unknown {
  const found = usage[details];
  return isObject(found) ? found[name] : undefined;
}
