import { GatewayError } from '@mg/contract';
import { writeDataUrl } from '../canonical/media-type.js';
import { mapObjects } from '../canonical/map-objects.js';
import {
  type FileContent,
  type FileReference,
  type FileReferences,
  isOwnFile,
} from '../chat/file-references.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Files by `file.file_id`, whose content becomes `file.file_data`.
 *
 * @see https://platform.openai.com/docs/guides/pdf-files
 */
export const fileReferences: FileReferences = {
  replace(request, _base, contentOf) {
    const messages = mapObjects(request.messages, (message, at) => {
      const content = mapObjects(message.content, (part, index) =>
        replacePart(part, `messages[${at}].content[${index}]`, contentOf),
      );
      return content === message.content ? message : { ...message, content };
    });
    return messages === request.messages ? request : { ...request, messages };
  },
  refuse: refuseFile,
};

type ContentOf = (file: FileReference) => FileContent | undefined;

function replacePart(part: JsonObject, place: string, contentOf: ContentOf): JsonObject {
  const { type, file } = part;
  if (type !== 'file' || !isObject(file)) return part;
  const { file_id: id, ...rest } = file;
  if (!isOwnFile(id) || rest.file_data !== undefined) return part;
  const content = contentOf({ id, param: `${place}.file.file_id` });
  return content
    ? { ...part, file: { ...nameFile(id, content), ...rest, file_data: writeContent(content) } }
    : part;
}

/** The name that goes along with the content of a file. */
export function nameFile(id: string, { filename }: FileContent): { filename: string } {
  return { filename: filename || id };
}

export function writeContent({ mimeType, base64 }: FileContent): string {
  return writeDataUrl({ mediaType: mimeType, base64 });
}

/** What OpenAI says of a file that it does not have. */
export function refuseFile({ id, param }: FileReference): GatewayError {
  return new GatewayError('invalid_request', `No such File object: ${id}`, { param });
}
