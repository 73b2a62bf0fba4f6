import { refuseField } from '../canonical/refuse.js';
import type { ExchangeTarget, FormPart, OutgoingBody } from '../exchange/exchange.js';
import { writeForm } from '../exchange/write-form.js';
import { type StoredBase64, writeJson, writeJsonWithFiles } from '../exchange/write-json.js';
import type { JsonObject } from '../json.js';
import { nameAspectRatio, nameResolution } from './aspect-ratio.js';
import { type ImageRequest, type ImageSource, isImage, toImageUrl } from './image.js';
import type { ImageTraits } from './image-traits.js';

/** What the gateway does itself where a model refuses it: how images and streams are returned. */
const OUR_OWN = new Set(['response_format', 'stream', 'partial_images']);

/** Whether the client's own body suits the model. @throws GatewayError `invalid_request` for what it cannot do. */
export function mayGoAsIs(request: ImageRequest, { traits, channelType }: ExchangeTarget): boolean {
  const { refuses = [], maxCount, sizeAs, imagesAs, base64Word } = traits.image ?? {};
  if (maxCount !== undefined && request.count > maxCount) {
    refuseField('n', `must be at most ${maxCount} for this model on a channel of type ${channelType}`);
  }
  return (
    !refuses.some((name) => name in request.fields) &&
    (sizeAs === undefined || request.fields.size === undefined) &&
    (imagesAs === undefined || request.images.length === 0) &&
    (base64Word === undefined || request.format !== 'b64_json')
  );
}

/** The request in OpenAI's manner as this model wants it. @throws GatewayError `invalid_request` */
export function writeOpenAiImages(request: ImageRequest, target: ExchangeTarget): OutgoingBody {
  const { traits, model, dropped } = target;
  const { refuses = [], imagesAs } = traits.image ?? {};
  const kept = Object.entries(request.fields).filter(([name]) => {
    const refused = refuses.includes(name);
    if (refused && !OUR_OWN.has(name)) dropped.add(name);
    return !refused;
  });
  const fields = adaptFields({ ...Object.fromEntries(kept), model }, request, traits.image ?? {});
  if (request.images.length === 0) return writeJson(fields);
  if (imagesAs !== undefined)
    return writeJsonWithFiles({ ...fields, ...referToImages(request, target, imagesAs) });
  if (request.body.kind === 'json') {
    const { images, mask } = request;
    return writeJsonWithFiles({
      ...fields,
      images: images.map(writeReference),
      mask: mask && writeReference(mask),
    });
  }
  return writeForm([...listFields(fields), ...listImages(request)]);
}

function adaptFields(fields: JsonObject, request: ImageRequest, traits: ImageTraits): JsonObject {
  const { size } = request;
  const { size: ownSize, ...others } = fields;
  const format = fields.response_format === 'b64_json' ? traits.base64Word : undefined;
  const mapped = format === undefined ? others : { ...others, response_format: format };
  if (traits.sizeAs === 'width-height') return { ...mapped, ...size };
  if (traits.sizeAs === 'aspect-ratio') {
    return size
      ? { ...mapped, aspect_ratio: nameAspectRatio(size), resolution: nameResolution(size).toLowerCase() }
      : mapped;
  }
  return ownSize === undefined ? mapped : { ...mapped, size: ownSize };
}

function referToImages(
  { images, mask }: ImageRequest,
  { channelType }: ExchangeTarget,
  imagesAs: 'texts' | 'objects',
): JsonObject {
  if (mask) refuseField('mask', `cannot be used with a channel of type ${channelType}`);
  const urls = images.map((image, index) => needUrl(image, `images[${index}].file_id`, channelType));
  if (imagesAs === 'texts') return { image: urls.length === 1 ? urls[0] : urls };
  const objects = urls.map((url) => ({ type: 'image_url', url }));
  return objects.length === 1 ? { image: objects[0] } : { images: objects };
}

function needUrl(source: ImageSource, name: string, channelType: string): string | StoredBase64 {
  return toImageUrl(source) ?? refuseField(name, `is unknown to a channel of type ${channelType}`);
}

/** An image as JSON bodies name it. */
function writeReference(source: ImageSource): JsonObject {
  return source.kind === 'file' ? { file_id: source.id } : { image_url: toImageUrl(source) };
}

function listFields(fields: JsonObject): FormPart[] {
  return Object.entries(fields).map(([name, value]) => ({ name, bytes: Buffer.from(String(value)) }));
}

/** The form's files as they came. */
function listImages({ body }: ImageRequest): FormPart[] {
  return body.kind === 'form' ? body.parts.filter(isImage) : [];
}
