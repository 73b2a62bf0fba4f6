import { NO_USAGE, type Usage } from '@mg/contract';
import type { StreamReader } from '../chat/chat-protocol.js';
import { StreamTap, containsAny } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import type { ImageRequest } from './image.js';
import { readDrawnVariant, readImageTokens } from './image-usage.js';

/** Room for an image of the largest size, in base64 within its event. */
export const MAX_IMAGE_EVENT_BYTES = 48 * 1024 * 1024;

/**
 * Reads along a stream of images: counts those that are whole and adds up their tokens. An event is an image of
 * megabytes, so only those that end one or fail are looked into.
 */
export function tapImages({ count }: ImageRequest): StreamReader {
  let usage: Usage = NO_USAGE;
  return new StreamTap({
    mayMatter: containsAny('.completed"', '"error"'),
    readUsage: (event) => {
      if (!isCompleted(event.type)) return undefined;
      usage = { ...addTokens(usage, readImageTokens(event.usage)), ...readDrawnVariant(event) };
      return usage;
    },
    readFault: (event) => (isObject(event.error) || event.type === 'error' ? event : undefined),
    isEnd: () => usage.images > 0,
    isLast: () => usage.images >= count,
    maxEventBytes: MAX_IMAGE_EVENT_BYTES,
  });
}

function isCompleted(type: unknown): boolean {
  return type === 'image_generation.completed' || type === 'image_edit.completed';
}

function addTokens(sum: Usage, reported: Partial<Usage>): Usage {
  const add = (name: 'inputTokens' | 'outputTokens' | 'cachedInputTokens') =>
    sum[name] + (reported[name] ?? 0);
  return {
    ...sum,
    images: sum.images + 1,
    inputTokens: add('inputTokens'),
    cachedInputTokens: add('cachedInputTokens'),
    imageInputTokens: (sum.imageInputTokens ?? 0) + (reported.imageInputTokens ?? 0),
    outputTokens: add('outputTokens'),
    imageOutputTokens: (sum.imageOutputTokens ?? 0) + (reported.imageOutputTokens ?? 0),
  };
}
