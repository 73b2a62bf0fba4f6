import { omitUndefined } from '@mg/contract';
import { mapObjects } from '../canonical/map-objects.js';
import {
  type FileContent,
  type FileReference,
  type FileReferences,
  isOwnFile,
} from '../chat/file-references.js';
import { isObject, type JsonObject } from '../json.js';
import { nameFile, refuseFile, writeContent } from '../openai-chat/file-references.js';

const IMAGES = new Set<unknown>(['input_image', 'computer_screenshot']);

/**
 * Files by `file_id` in messages and in what tools gave back, whose content becomes `file_data` or `image_url`.
 *
 * @see https://platform.openai.com/docs/guides/pdf-files
 */
export const fileReferences: FileReferences = {
  replace(request, _base, contentOf) {
    const input = mapObjects(request.input, (item, at) => {
      const replace = (list: unknown, place: string) =>
        isObject(list)
          ? replacePart(list, place, contentOf)
          : mapObjects(list, (part, index) => replacePart(part, `${place}[${index}]`, contentOf));
      const content = replace(item.content, `input[${at}].content`);
      const output = replace(item.output, `input[${at}].output`);
      if (content === item.content && output === item.output) return item;
      return {
        ...item,
        ...omitUndefined({ content, output }),
      };
    });
    return input === request.input ? request : { ...request, input };
  },
  refuse: refuseFile,
};

function replacePart(
  part: JsonObject,
  place: string,
  contentOf: (file: FileReference) => FileContent | undefined,
): JsonObject {
  const { file_id: id, ...rest } = part;
  if (!isOwnFile(id)) return part;
  const isImage = IMAGES.has(rest.type);
  const has = isImage ? rest.image_url : (rest.file_data ?? rest.file_url);
  if ((!isImage && rest.type !== 'input_file') || (has !== undefined && has !== null)) return part;
  const content = contentOf({ id, param: `${place}.file_id` });
  if (!content) return part;
  return isImage
    ? { ...rest, image_url: writeContent(content) }
    : { ...nameFile(id, content), ...rest, file_data: writeContent(content) };
}
