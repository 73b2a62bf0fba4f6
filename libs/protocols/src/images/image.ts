import type { Usage } from '@mg/contract';
import { readList, readObjects } from '../canonical/read-fields.js';
import { throwUpstreamError } from '../canonical/refuse.js';
import type { ExchangeBody, FormPart } from '../exchange/exchange.js';
import type { StoredFile } from '../exchange/stored-bytes.js';
import { type StoredBase64, toBase64Text, toStandardText } from '../exchange/write-json.js';
import type { JsonObject } from '../json.js';
import type { JoinedText } from '../strict-json/joined-text.js';

/**
 * An image that a client sent: its bytes, their base64 as it stood in JSON, which is brought into its standard form where it is written,
 * the address of one, or the id of a file that only the provider knows.
 */
export type ImageSource =
  | { readonly kind: 'bytes'; readonly bytes: Buffer | StoredFile; readonly mediaType: string }
  | { readonly kind: 'base64'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly id: string };

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A request for images in no wire format in particular. */
export interface ImageRequest {
  readonly task: 'generate' | 'edit' | 'vary';
  readonly model: string;
  /** Empty where nothing is said of what is made of an image. */
  readonly prompt: string;
  /** Images asked for. */
  readonly count: number;
  /** `undefined` where the model may choose. */
  readonly size: ImageSize | undefined;
  /** `undefined` where the model may choose. */
  readonly quality: string | undefined;
  /** How the client wants its images: in both forms, as far as they can be had, when it does not say. */
  readonly format: 'url' | 'b64_json' | undefined;
  readonly stream: boolean;
  /** Images to work on. */
  readonly images: readonly ImageSource[];
  /** What of the first image may change. */
  readonly mask: ImageSource | undefined;
  /** The client's members besides the images, values of forms as JSON has them. */
  readonly fields: JsonObject;
  readonly body: ExchangeBody;
}

/** One image of a reply, in one of the two forms. */
export interface ImageResult {
  /** A long one may come in pieces. */
  readonly base64?: string | JoinedText;
  readonly url?: string;
  /** Of the base64; PNG by default. */
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
}

export interface ImageReply {
  /** Unix time in seconds. */
  readonly created: number;
  readonly images: readonly ImageResult[];
  /** With the images that really came; tokens where the upstream reported them. */
  readonly usage: Usage;
  /** What the upstream says of its images: size, quality, format. */
  readonly facts: JsonObject;
}

/** Images of one answer. More can be asked of no provider. */
const MOST_IMAGES = 128;

/** What an answer lists as its images. @throws GatewayError `upstream_error` where they are more than can be asked for. */
export function readImageList(list: unknown): readonly JsonObject[] {
  return readList(list).length <= MOST_IMAGES
    ? readObjects(list)
    : throwUpstreamError('The upstream answered with more images than can be asked for.');
}

/** Of what a provider says of a refusal, in characters: all of it would be searched and written in one step. */
const LONGEST_REASON = 2_000;
/** Of an image's media type; RFC 6838 has 255. */
const LONGEST_MEDIA_TYPE = 256;

/** Why a provider made no image, in its own words; `undefined` where it says nothing. */
export function readReason(said: unknown): string | undefined {
  return typeof said === 'string' && said !== '' ? said.slice(0, LONGEST_REASON) : undefined;
}

/** The media type that an answer gives an image; `undefined` where it gives none, or one longer than there are. */
export function readImageType(type: unknown): string | undefined {
  return typeof type === 'string' && type.length <= LONGEST_MEDIA_TYPE ? type : undefined;
}

/** The image as a `data:` URL, or the address that it has already; `undefined` for a provider's own file. */
export function toImageUrl(source: ImageSource): string | StoredBase64 | undefined {
  if (source.kind === 'url') return source.url;
  return source.kind === 'file' ? undefined : toImageBase64(source, `data:${source.mediaType};base64,`);
}

/** The image's base64 after what is to stand before it. */
export function toImageBase64(
  source: Extract<ImageSource, { readonly mediaType: string }>,
  before = '',
): string | StoredBase64 {
  return source.kind === 'bytes' ? toBase64Text(before, source.bytes) : toStandardText(before, source.text);
}

const IMAGE_NAME = /^(?:image(?:\[\d*\])?|mask)$/;

/** Whether a part of a form is an image: `image`, `image[]`, `image[1]` or `mask`. */
export function isImage({ name }: Pick<FormPart, 'name'>): boolean {
  return IMAGE_NAME.test(name);
}
