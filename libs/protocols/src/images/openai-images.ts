import { NO_USAGE, omitUndefined } from '@mg/contract';
import { readObject } from '../canonical/read-fields.js';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import type { NameAddress, UpstreamAnswer } from '../exchange/exchange.js';
import { answerJson, answerPieces } from '../exchange/write-json.js';
import { isObject, type JsonObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import { isText, joinTexts, piecesOf } from '../strict-json/joined-text.js';
import { type ImageReply, type ImageRequest, type ImageResult, readImageList, readReason } from './image.js';
import { readDrawnVariant, readImageTokens, writeImageTokens } from './image-usage.js';
import { tapImages } from './tap-images.js';
import { mayGoAsIs, writeOpenAiImages } from './write-openai-images.js';

/** What answers say of their images as a whole. */
const FACTS = ['background', 'output_format', 'quality', 'size'] as const;
const LONGEST_FACT = 256;

/**
 * OpenAI's images towards clients.
 *
 * @see https://platform.openai.com/docs/api-reference/images
 */
export const openAiImageClient: ClientFormat<ImageRequest, ImageReply> = {
  protocol: 'openai-images',
  encodeReply: (reply, request, nameAddress = () => undefined) =>
    request.stream ? writeEvents(reply, request, nameAddress) : writeAnswer(reply, request, nameAddress),
  // What came in another form than asked for, or whole where a stream is expected, is converted.
  fits: ({ contentType, parsed }, { format, stream }) => {
    if (stream) return contentType.includes('text/event-stream');
    return listData(parsed).every((item) =>
      format === undefined ? typeof item.url === 'string' || !isText(item.b64_json) : isText(item[format]),
    );
  },
};

/** OpenAI's images towards channels: OpenAI itself and those who look like it. */
export const openAiImageChannel: ChannelFormat<ImageRequest, ImageReply> = {
  takesAsIs: mayGoAsIs,
  encodeRequest: (request, target) => [writeOpenAiImages(request, target)],
  decodeReply: ([answer], { task }) => {
    const images = listData(answer?.parsed).flatMap(readResult);
    if (images.length === 0) return refuseEmpty(answer, task === 'vary' ? 'image' : 'prompt');
    const { created, usage } = answer?.parsed ?? {};
    return {
      created: typeof created === 'number' ? created : Math.floor(Date.now() / 1_000),
      images,
      usage: {
        ...NO_USAGE,
        ...readImageTokens(usage),
        ...readDrawnVariant(answer?.parsed ?? {}),
        images: images.length,
      },
      facts: readFacts(answer?.parsed ?? {}),
    };
  },
  createTap: tapImages,
  parseUpstreamError: parseOpenAiError,
};

/** An answer without an image: what the provider says of the reason is the caller's to know. */
function refuseEmpty(answer: UpstreamAnswer | undefined, param: string): never {
  const failed = listData(answer?.parsed).find((item) => isObject(item.error));
  const said = readReason(readObject(failed?.error)?.message);
  if (said !== undefined) refuseField(param, `was refused by the provider: ${said}`);
  return throwUpstreamError('The upstream answered without an image.');
}

function listData(answer: JsonObject | undefined): readonly JsonObject[] {
  return readImageList(answer?.data);
}

function readResult({ b64_json: base64, url, revised_prompt: revised }: JsonObject): ImageResult[] {
  const details = typeof revised === 'string' ? { revisedPrompt: revised } : {};
  if (isText(base64) && base64.length > 0) return [{ base64, ...details }];
  return typeof url === 'string' && url !== '' ? [{ url, ...details }] : [];
}

/** Longer ones are left out: the format stands in the `data:` URL of each image. */
function readFacts(answer: JsonObject): JsonObject {
  const facts = FACTS.map((name) => [name, answer[name]] as const);
  const isFact = (fact: unknown) =>
    fact === null || (typeof fact === 'string' && fact.length <= LONGEST_FACT);
  return Object.fromEntries(facts.filter(([, fact]) => isFact(fact)));
}

function writeAnswer(reply: ImageReply, { format }: ImageRequest, nameAddress: NameAddress) {
  const usage = writeImageTokens(reply.usage);
  return answerJson({
    created: reply.created,
    data: reply.images.map((image) => ({
      ...writeImage(image, reply, format ?? 'both', nameAddress),
      ...omitUndefined({ revised_prompt: image.revisedPrompt }),
    })),
    ...reply.facts,
    ...omitUndefined({ usage }),
  });
}

/** Where no part of an image came before it was whole, the whole is all there is to send. */
function writeEvents(
  reply: ImageReply,
  { task, format = 'b64_json', fields }: ImageRequest,
  nameAddress: NameAddress,
) {
  const type = task === 'generate' ? 'image_generation.completed' : 'image_edit.completed';
  const usage = writeImageTokens(reply.usage);
  const events = reply.images.map((image, index) => ({
    type,
    ...writeImage(image, reply, format, nameAddress),
    created_at: reply.created,
    background: fields.background ?? 'auto',
    output_format: fields.output_format ?? 'png',
    quality: fields.quality ?? 'auto',
    size: fields.size ?? 'auto',
    ...reply.facts,
    ...omitUndefined({ usage: usage && index === reply.images.length - 1 ? usage : undefined }),
  }));
  const pieces = events.flatMap((event) => [`event: ${type}\ndata: `, event, '\n\n']);
  return answerPieces('text/event-stream; charset=utf-8', pieces);
}

/**
 * As the client wants it, where that can be had: bytes have an address of their own or become a `data:` URL, an address stays
 * one.
 */
function writeImage(
  { base64, url, mediaType }: ImageResult,
  { facts }: ImageReply,
  format: 'url' | 'b64_json' | 'both',
  nameAddress: NameAddress,
): JsonObject {
  if (base64 === undefined) return { url };
  if (format === 'b64_json') return { b64_json: base64 };
  const type = mediaType ?? `image/${typeof facts.output_format === 'string' ? facts.output_format : 'png'}`;
  const address = nameAddress(base64, type) ?? joinTexts([`data:${type};base64,`, ...piecesOf(base64)]);
  return format === 'url' ? { url: address } : { url: address, b64_json: base64 };
}
