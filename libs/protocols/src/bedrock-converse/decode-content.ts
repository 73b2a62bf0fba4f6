import { omitUndefined } from '@mg/contract';
import type {
  Block,
  OpaqueBlock,
  ReasoningBlock,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
} from '../canonical/blocks.js';
import { checkText, extend, needText, pickRest } from '../canonical/check-fields.js';
import { writeArguments } from '../canonical/json-text.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import { isObject, type JsonObject } from '../json.js';
import { decodeCitation } from './citations.js';
import { decodeMedia, MEDIA_KINDS } from './decode-media.js';

export const HOME = 'bedrock-converse';

type Decode = (value: JsonObject, path: string, raw: JsonObject) => Block;

/** Blocks by the one member that each has. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['reasoningContent', decodeReasoning],
  ['toolUse', decodeToolUse],
  ['toolResult', decodeToolResult],
  ['citationsContent', (value, _path, raw) => decodeCited(value, raw)],
  ['guardContent', (value, _path, raw) => keepText(readText(readObject(value.text)?.text) ?? '', raw)],
  ['searchResult', (value, _path, raw) => keepText(joinSearchResult(value), raw)],
  ...MEDIA_KINDS.map((kind): [string, Decode] => [kind, (value, path) => decodeMedia(kind, value, path)]),
]);

/**
 * Reads the content of a message. A mark of what is to be cached stands behind a block as one of its own and becomes an
 * extension of that block.
 *
 * @throws GatewayError naming the field that is wrong.
 */
export function decodeContent(content: unknown, path: string): readonly Block[] {
  if (!Array.isArray(content)) return refuseField(path, 'must be an array of blocks');
  const blocks: Block[] = [];
  content.forEach((raw: unknown, index) => {
    const place = `${path}[${index}]`;
    if (!isObject(raw)) return refuseField(place, 'must be an object');
    if (raw.cachePoint === undefined) blocks.push(decodeBlock(raw, place));
    else markLast(blocks, raw.cachePoint, place);
  });
  return blocks;
}

function markLast(blocks: Block[], cachePoint: unknown, path: string): void {
  const last = blocks.pop();
  if (!last || last.type === 'opaque') return refuseField(path, 'marks nothing that could be cached');
  const own = last.ext?.[HOME];
  blocks.push({ ...last, ext: { ...last.ext, [HOME]: { ...own, cachePoint } } });
}

function decodeBlock(raw: JsonObject, path: string): Block {
  if (typeof raw.text === 'string') return { type: 'text', text: raw.text };
  for (const [name, decode] of DECODERS) {
    const value = raw[name];
    if (value !== undefined && value !== null) {
      return isObject(value) ? decode(value, path, raw) : refuseField(`${path}.${name}`, 'must be an object');
    }
  }
  return decodeOpaque(raw);
}

function decodeOpaque(raw: JsonObject): OpaqueBlock {
  return { type: 'opaque', protocol: HOME, raw };
}

/** Other protocols see the words; this one gets back all that stood there. */
function keepText(text: string, raw: JsonObject): TextBlock {
  return { type: 'text', text, ext: { [HOME]: { [VERBATIM]: raw } } };
}

function decodeCited(value: JsonObject, raw: JsonObject): TextBlock {
  const text = readObjects(value.content)
    .map((part) => readText(part.text) ?? '')
    .join('');
  const citations = readObjects(value.citations).map(decodeCitation);
  return {
    ...keepText(text, raw),
    ...omitUndefined({ citations: citations.length > 0 ? citations : undefined }),
  };
}

function joinSearchResult(value: JsonObject): string {
  const texts = readObjects(value.content).map((part) => readText(part.text) ?? '');
  return [readText(value.title), readText(value.source), texts.join('')].filter((line) => line).join('\n');
}

function decodeReasoning(value: JsonObject): ReasoningBlock {
  const redacted = readText(value.redactedContent);
  if (redacted !== undefined)
    return { type: 'reasoning', text: '', redacted: { protocol: HOME, value: redacted } };
  const { text, signature } = readObject(value.reasoningText) ?? {};
  const written: ReasoningBlock = { type: 'reasoning', text: readText(text) ?? '' };
  if (typeof signature !== 'string' || signature === '') return written;
  return { ...written, signature: { protocol: HOME, value: signature } };
}

const CALL_FIELDS = new Set(['toolUseId', 'name', 'input', 'type']);

/** A call of a tool that the provider ran itself is none for the client. */
function decodeToolUse(value: JsonObject, path: string, raw: JsonObject): ToolCallBlock | OpaqueBlock {
  if (value.type === 'server_tool_use') return decodeOpaque(raw);
  return {
    type: 'tool-call',
    id: needText(value, 'toolUseId', `${path}.toolUse`),
    name: needText(value, 'name', `${path}.toolUse`),
    arguments: writeArguments(value.input),
    ...extend(HOME, pickRest(value, CALL_FIELDS)),
  };
}

const RESULT_FIELDS = new Set(['toolUseId', 'content', 'status', 'type']);

function decodeToolResult(value: JsonObject, path: string, raw: JsonObject): ToolResultBlock | OpaqueBlock {
  const place = `${path}.toolResult`;
  const type = checkText(value, 'type', place);
  if (type !== undefined && type !== 'tool_result') return decodeOpaque(raw);
  const parts = Array.isArray(value.content) ? value.content : [];
  return {
    type: 'tool-result',
    callId: needText(value, 'toolUseId', place),
    name: undefined,
    content: parts.map((part: unknown, index) => decodePart(part, `${place}.content[${index}]`)),
    isError: checkText(value, 'status', place) === 'error',
    ...extend(HOME, pickRest(value, RESULT_FIELDS)),
  };
}

function decodePart(part: unknown, path: string): ToolResultBlock['content'][number] {
  if (!isObject(part)) return refuseField(path, 'must be an object');
  if (part.json !== undefined) return keepText(JSON.stringify(part.json), part);
  const block = decodeBlock(part, path);
  return block.type === 'text' || block.type === 'media' ? block : decodeOpaque(part);
}
