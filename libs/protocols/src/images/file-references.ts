import { omitUndefined } from '@mg/contract';
import { mapObjects } from '../canonical/map-objects.js';
import {
  type FileContent,
  type FileReference,
  type FileReferences,
  isOwnFile,
} from '../chat/file-references.js';
import { isObject, type JsonObject } from '../json.js';
import { refuseFile, writeContent } from '../openai-chat/file-references.js';

/** Images and masks by `file_id`, whose content becomes `image_url`, in `POST /v1/images/edits` as JSON. */
export const imageFiles: FileReferences = {
  replace(request, _base, contentOf) {
    const images = mapObjects(request.images, (image, at) => replaceImage(image, `images[${at}]`, contentOf));
    const mask = isObject(request.mask) ? replaceImage(request.mask, 'mask', contentOf) : request.mask;
    if (images === request.images && mask === request.mask) return request;
    return { ...request, images, ...omitUndefined({ mask }) };
  },
  refuse: refuseFile,
};

function replaceImage(
  image: JsonObject,
  place: string,
  contentOf: (file: FileReference) => FileContent | undefined,
): JsonObject {
  const { file_id: id, ...rest } = image;
  if (!isOwnFile(id) || (rest.image_url !== undefined && rest.image_url !== null)) return image;
  const content = contentOf({ id, param: `${place}.file_id` });
  return content ? { ...rest, image_url: writeContent(content) } : image;
}
