import { GatewayError, omitUndefined } from '@mg/contract';
import { mapObjects } from '../canonical/map-objects.js';
import {
  type FileContent,
  type FileReference,
  type FileReferences,
  isOwnFileId,
} from '../chat/file-references.js';
import { isObject, type JsonObject } from '../json.js';

type ContentOf = (file: FileReference) => FileContent | undefined;

const PATH = /\/v1(?:beta)?\/files\/([a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?)$/;
/** Files in the account of a channel's key. */
const PROVIDER = 'https://generativelanguage.googleapis.com/';

/** Members of a part that files lie in. */
const HOLDERS = new Set(['functionResponse', 'function_response', 'fileData', 'file_data']);

/** Files by `fileData.fileUri`, whose content becomes `inlineData`: https://ai.google.dev/api/files */
export const fileReferences: FileReferences = {
  replace(request, base, contentOf) {
    const walk = new FileWalk(base, contentOf);
    let changed = request;
    for (const name of ['contents', 'systemInstruction', 'system_instruction']) {
      const before = request[name];
      const after = walk.contents(before, name);
      if (after !== before) changed = { ...changed, [name]: after };
    }
    return changed;
  },
  refuse: ({ id, param }) =>
    new GatewayError(
      'forbidden',
      `You do not have permission to access the File ${id} or it may not exist.`,
      { param },
    ),
};

class FileWalk {
  constructor(
    private readonly base: string,
    private readonly contentOf: ContentOf,
  ) {}

  contents(value: unknown, place: string): unknown {
    if (isObject(value)) return this.#parts(value, place);
    return mapObjects(value, (content, index) => this.#parts(content, `${place}[${index}]`));
  }

  /** An object that holds `parts`. */
  #parts(holder: JsonObject, place: string): JsonObject {
    const { parts } = holder;
    const after = isObject(parts)
      ? this.#part(parts, `${place}.parts`)
      : mapObjects(parts, (part, index) => this.#part(part, `${place}.parts[${index}]`));
    return after === parts ? holder : { ...holder, parts: after };
  }

  /** One with data of its own beside a file is left for the provider to refuse. */
  #part(part: JsonObject, place: string): JsonObject {
    if (!mayHoldFile(part)) return part;
    for (const name of ['functionResponse', 'function_response']) {
      const response = part[name];
      const after = isObject(response) ? this.#parts(response, `${place}.${name}`) : response;
      if (after !== response) return { ...part, [name]: after };
    }
    if (part.inlineData !== undefined || part.inline_data !== undefined) return part;
    for (const name of ['fileData', 'file_data']) {
      const file = part[name];
      const content = isObject(file) ? this.#find(file, `${place}.${name}`) : undefined;
      if (!isObject(file) || !content) continue;
      const { [name]: _file, ...rest } = part;
      return { ...rest, inlineData: writeInline(file, content) };
    }
    return part;
  }

  #find(file: JsonObject, place: string): FileContent | undefined {
    const name = file.fileUri === undefined ? 'file_uri' : 'fileUri';
    const id = readId(file[name], this.base);
    return id === undefined ? undefined : this.contentOf({ id, param: `${place}.${name}` });
  }
}

/** There may be tens of thousands of parts, most of which have one member. */
function mayHoldFile(part: JsonObject): boolean {
  for (const name in part) if (HOLDERS.has(name)) return true;
  return false;
}

/** The id in a URI of ours: under the address that was asked, or made up by us behind whatever address the gateway had. */
function readId(uri: unknown, base: string): string | undefined {
  if (typeof uri !== 'string' || uri.startsWith(PROVIDER)) return undefined;
  const [path, id] = PATH.exec(uri) ?? [];
  if (path === undefined || id === undefined) return undefined;
  return isOwnFileId(id) || uri.slice(0, -path.length) === base ? id : undefined;
}

function writeInline(file: JsonObject, { mimeType, base64 }: FileContent): JsonObject {
  const named = file.mimeType ?? file.mime_type;
  const displayName = file.displayName ?? file.display_name;
  return omitUndefined({
    mimeType: typeof named === 'string' && named !== '' ? named : mimeType,
    data: base64,
    displayName,
  });
}
