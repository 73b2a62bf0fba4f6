import { NO_USAGE, omitUndefined } from '@mg/contract';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat } from '../exchange/create-exchange.js';
import { writeJson } from '../exchange/write-json.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { isText } from '../strict-json/joined-text.js';
import { nameAspectRatio, nameResolution } from './aspect-ratio.js';
import {
  type ImageReply,
  type ImageRequest,
  type ImageResult,
  type ImageSize,
  readImageList,
  readImageType,
  readReason,
} from './image.js';

/** Most images of one request. */
const MAX_COUNT = 4;
/** Members that are read, or mean what Imagen does anyway. */
const READ = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream', 'partial_images']);
const RATIOS: ReadonlySet<string> = new Set(['1:1', '3:4', '4:3', '9:16', '16:9']);

/**
 * Images by Imagen: of a prompt alone, several at once. What its filters take away is missing from the answer.
 *
 * @see https://ai.google.dev/gemini-api/docs/imagen
 */
export const imagenChannel: ChannelFormat<ImageRequest, ImageReply> = {
  encodeRequest: ({ prompt, count, size, fields }, { channelType, dropped }) => {
    if (count > MAX_COUNT) refuseField('n', `must be at most ${MAX_COUNT} for this model`);
    if (fields.background === 'transparent') {
      refuseField('background', `transparent cannot be used with a channel of type ${channelType}`);
    }
    for (const name of Object.keys(fields)) if (!READ.has(name)) dropped.add(name);
    return [
      writeJson({
        instances: [{ prompt }],
        parameters: { sampleCount: count, ...writeSize(size) },
      }),
    ];
  },
  decodeReply: ([answer]) => {
    const all = readImageList(answer?.parsed?.predictions);
    const images = all.flatMap(({ bytesBase64Encoded: base64, mimeType, prompt }): ImageResult[] =>
      isText(base64)
        ? [
            omitUndefined({
              base64,
              mediaType: readImageType(mimeType) ?? 'image/png',
              revisedPrompt: typeof prompt === 'string' ? prompt : undefined,
            }),
          ]
        : [],
    );
    if (images.length === 0) refuseEmpty(all);
    return {
      created: Math.floor(Date.now() / 1_000),
      images,
      usage: { ...NO_USAGE, images: images.length },
      facts: { output_format: (images[0]?.mediaType ?? 'image/png').replace('image/', '') },
    };
  },
  parseUpstreamError: parseGeminiError,
};

function writeSize(size: ImageSize | undefined) {
  if (!size) return {};
  const ratio = nameAspectRatio(size);
  if (!RATIOS.has(ratio)) {
    refuseField('size', `must have a ratio of ${[...RATIOS].join(', ')} for this model`);
  }
  return { aspectRatio: ratio, sampleImageSize: nameResolution(size) === '1K' ? '1K' : '2K' };
}

/** An answer without images is a refusal of the prompt, whose reason is reported where it was asked for. */
function refuseEmpty(predictions: readonly Record<string, unknown>[]): never {
  const filtered = predictions.find(({ raiFilteredReason: reason }) => typeof reason === 'string');
  const reason = readReason(filtered?.raiFilteredReason);
  if (reason !== undefined) refuseField('prompt', `was refused by the provider: ${reason}`);
  return throwUpstreamError('The upstream answered without an image.');
}
