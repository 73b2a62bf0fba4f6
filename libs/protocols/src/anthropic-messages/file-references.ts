import { GatewayError } from '@mg/contract';
import { mapObjects } from '../canonical/map-objects.js';
import { correctMediaType, isTextType } from '../canonical/media-type.js';
import { refuseField } from '../canonical/refuse.js';
import {
  type FileContent,
  type FileReference,
  type FileReferences,
  isOwnFile,
} from '../chat/file-references.js';
import { isObject, type JsonObject } from '../json.js';

type ContentOf = (file: FileReference) => FileContent | undefined;

/**
 * Files by `source.file_id` of documents and images, in messages and in results of tools: their content becomes
 * `source.data`, in base64 or, for documents of text, as text.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/files
 */
export const fileReferences: FileReferences = {
  replace(request, _base, contentOf) {
    const messages = mapObjects(request.messages, (message, at) =>
      replaceContent(message, `messages[${at}]`, contentOf),
    );
    return messages === request.messages ? request : { ...request, messages };
  },
  refuse: ({ id, param }) => new GatewayError('not_found', `File not found: ${id}`, { param }),
};

/** An object whose `content` holds blocks; what is nested was checked to be shallow. */
function replaceContent(holder: JsonObject, place: string, contentOf: ContentOf): JsonObject {
  const content = mapObjects(holder.content, (block, at) =>
    replaceBlock(block, `${place}.content[${at}]`, contentOf),
  );
  return content === holder.content ? holder : { ...holder, content };
}

function replaceBlock(block: JsonObject, place: string, contentOf: ContentOf): JsonObject {
  switch (block.type) {
    case 'document':
    case 'image':
      return replaceSource(block, `${place}.source`, contentOf);
    case 'tool_result':
      return replaceContent(block, place, contentOf);
    case 'container_upload':
      if (isOwnFile(block.file_id)) {
        refuseField(
          `${place}.type`,
          'must not be container_upload: files go to models, and not to containers',
        );
      }
      return block;
    default:
      return block;
  }
}

function replaceSource(block: JsonObject, place: string, contentOf: ContentOf): JsonObject {
  const { source, type } = block;
  if (!isObject(source)) return block;
  if (source.type === 'content') {
    const replaced = replaceContent(source, place, contentOf);
    return replaced === source ? block : { ...block, source: replaced };
  }
  const { file_id: id } = source;
  if (source.type !== 'file' || !isOwnFile(id)) return block;
  const content = contentOf({ id, param: `${place}.file_id` });
  return content ? { ...block, source: writeSource(type === 'document', content) } : block;
}

/** What a block does not take is left for the provider to refuse. */
function writeSource(isDocument: boolean, { mimeType, base64, text }: FileContent): JsonObject {
  const mediaType = correctMediaType(mimeType.split(';', 1)[0] ?? '');
  return isDocument && isTextType(mediaType)
    ? { type: 'text', media_type: 'text/plain', data: text }
    : { type: 'base64', media_type: mediaType, data: base64 };
}
