import { readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** Whether a request names media by URL, in its turns or in results of tools. */
export function hasMediaUrls(parsed: JsonObject): boolean {
  return readObjects(parsed.messages)
    .flatMap((message) => readObjects(message.content))
    .flatMap((block) => [block, ...readObjects(block.content)])
    .some(({ source }) => isObject(source) && source.type === 'url');
}
