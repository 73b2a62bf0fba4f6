import { omitUndefined } from '@mg/contract';
import type {
  Block,
  MediaBlock,
  MediaSource,
  OpaqueBlock,
  Signature,
  TextBlock,
  ToolCallBlock,
} from '../canonical/blocks.js';
import { readCallId } from '../canonical/call-ids.js';
import { limitCarried, unpackSignature } from '../canonical/carry-signature.js';
import { checkText, extend, needText, pickRest } from '../canonical/check-fields.js';
import { writeArguments } from '../canonical/json-text.js';
import { correctMediaType, readMediaKind } from '../canonical/media-type.js';
import { placeAt } from '../canonical/places.js';
import { readObject } from '../canonical/read-fields.js';
import { countNested, limitTurn } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import { limitToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { restoreCallId } from './carry-call-id.js';
import { decodeCitations } from './citations.js';

const HOME = 'anthropic-messages';

type Decode = (block: JsonObject, path: string) => readonly Block[];

const DECODERS: ReadonlyMap<unknown, Decode> = new Map<unknown, Decode>([
  ['text', (block, path) => [decodeText(block, path)]],
  ['image', (block, path) => [decodeImage(block, path)]],
  ['document', decodeDocument],
  ['search_result', (block) => [decodeSearchResult(block)]],
  ['tool_reference', (block, path) => [decodeToolReference(block, path)]],
  ['thinking', (block) => [decodeThinking(block)]],
  ['redacted_thinking', (block) => [decodeRedacted(block)]],
  ['tool_use', (block, path) => [decodeToolUse(block, path)]],
  ['tool_result', (block, path) => [decodeToolResult(block, path)]],
]);

/**
 * Reads the content of a message: a string, or blocks. What only this protocol knows comes back as opaque blocks.
 *
 * @throws GatewayError naming the field that is wrong.
 */
export function decodeContent(content: unknown, path: string): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return refuseField(path, 'must be a string or an array of blocks');
  limitTurn(
    countNested(content as unknown[], (item) => {
      const block = readObject(item);
      return block?.content ?? readObject(block?.source)?.content;
    }),
    path,
  );
  const signed = (content as unknown[]).filter(isObject);
  limitCarried(
    signed.flatMap(({ signature, data }) => [signature, data]),
    path,
  );
  const blocks: Block[] = [];
  let callSignature: Signature | undefined;
  content.forEach((raw: unknown, index) => {
    for (const block of decodeBlock(raw, `${path}[${index}]`)) {
      const carried = readCallSignature(block);
      if (carried) callSignature = carried;
      else if (block.type === 'tool-call' && callSignature) {
        blocks.push({ ...block, signature: callSignature });
        callSignature = undefined;
      } else blocks.push(block);
    }
  });
  return blocks;
}

function decodeBlock(raw: unknown, path: string): readonly Block[] {
  if (!isObject(raw)) return refuseField(path, 'must be an object');
  if (typeof raw.type !== 'string') return refuseField(`${path}.type`, 'must be a string');
  return DECODERS.get(raw.type)?.(raw, path) ?? [placeAt(path, decodeOpaque(raw))];
}

function decodeOpaque(raw: JsonObject): OpaqueBlock {
  return { type: 'opaque', protocol: HOME, raw };
}

/** A call's signature that came with another protocol's reply travels in a thinking block just before the call. */
function readCallSignature(block: Block): Signature | undefined {
  if (block.type !== 'reasoning') return undefined;
  const carried = block.signature && unpackSignature(block.signature.value);
  return carried?.kind === 'call' ? carried.signature : undefined;
}

const TEXT_FIELDS = new Set(['type', 'text', 'citations']);

/** Claude Code opens its system prompt with a line for Anthropic alone that differs from call to call: no cache would ever hit. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*$/;

function decodeText(block: JsonObject, path: string): TextBlock {
  if (typeof block.text === 'string' && BILLING_LINE.test(block.text)) {
    return { type: 'text', text: '', ext: { [HOME]: { [VERBATIM]: block, billing_header: true } } };
  }
  const citations = decodeCitations(block.citations);
  return {
    type: 'text',
    text: needText(block, 'text', path),
    ...omitUndefined({ citations: citations.length > 0 ? citations : undefined }),
    ...extend(HOME, pickRest(block, TEXT_FIELDS)),
  };
}

/** Reads the signature of shown or hidden reasoning: this protocol's own, or another's that was wrapped for the way. */
function decodeSignature(value: unknown): Signature | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const carried = unpackSignature(value);
  return carried && carried.kind !== 'call' ? carried.signature : { protocol: HOME, value };
}

function decodeThinking(block: JsonObject): Block {
  const signature = decodeSignature(block.signature);
  return omitUndefined({
    type: 'reasoning',
    text: typeof block.thinking === 'string' ? block.thinking : '',
    signature,
  });
}

function decodeRedacted(block: JsonObject): Block {
  const redacted = decodeSignature(block.data);
  return omitUndefined({ type: 'reasoning', text: '', redacted });
}

const CALL_FIELDS = new Set(['type', 'id', 'name', 'input']);

function decodeToolUse(block: JsonObject, path: string): ToolCallBlock {
  return placeAt(path, {
    type: 'tool-call',
    id: restoreCallId(readCallId(needText(block, 'id', path))),
    name: limitToolName(needText(block, 'name', path), `${path}.name`),
    arguments: writeArguments(block.input),
    ...extend(HOME, pickRest(block, CALL_FIELDS)),
  });
}

const RESULT_FIELDS = new Set(['type', 'tool_use_id', 'content', 'is_error']);

function decodeToolResult(block: JsonObject, path: string): Block {
  const content = block.content ?? [];
  return placeAt<Block>(`${path}.tool_use_id`, {
    type: 'tool-result',
    callId: restoreCallId(readCallId(needText(block, 'tool_use_id', path))),
    name: undefined,
    content: decodeContent(content, `${path}.content`).map(toResultPart),
    isError: block.is_error === true,
    ...extend(HOME, pickRest(block, RESULT_FIELDS)),
  });
}

/** A tool that a search has found: other protocols' models read its name, and have it declared with the others. */
function decodeToolReference(block: JsonObject, path: string): TextBlock {
  return {
    type: 'text',
    text: `Loaded tool: ${needText(block, 'tool_name', path)}`,
    ext: { [HOME]: { [VERBATIM]: block } },
  };
}

function toResultPart(block: Block): TextBlock | MediaBlock | OpaqueBlock {
  if (block.type === 'text' || block.type === 'media' || block.type === 'opaque') return block;
  return decodeOpaque({ type: block.type });
}

const IMAGE_FIELDS = new Set(['type', 'source']);

function decodeImage(block: JsonObject, path: string): MediaBlock {
  const source = decodeSource(block.source, `${path}.source`);
  return {
    type: 'media',
    kind: source.type === 'bytes' ? readMediaKind(source.mediaType) : 'image',
    source,
    ...extend(HOME, pickRest(block, IMAGE_FIELDS)),
  };
}

const DOCUMENT_FIELDS = new Set(['type', 'source', 'title']);

function decodeDocument(block: JsonObject, path: string): readonly Block[] {
  const title = checkText(block, 'title', path);
  const rest = extend(HOME, pickRest(block, DOCUMENT_FIELDS));
  const source = isObject(block.source) ? block.source : {};
  if (source.type === 'content') {
    const heading = [title, checkText(block, 'context', path)].filter((text) => text).join('\n');
    const head: Block[] = heading === '' ? [] : [{ type: 'text', text: heading }];
    return [...head, ...decodeContent(source.content, `${path}.source.content`)];
  }
  const decoded = decodeSource(block.source, `${path}.source`);
  const kind = decoded.type === 'bytes' ? readMediaKind(decoded.mediaType) : 'document';
  return [{ type: 'media', kind, source: decoded, ...omitUndefined({ name: title || undefined }), ...rest }];
}

function decodeSource(source: unknown, path: string): MediaSource {
  if (!isObject(source)) return refuseField(path, 'must be an object');
  switch (source.type) {
    case 'base64': {
      const mediaType = correctMediaType(needText(source, 'media_type', path));
      return placeAt(path, { type: 'bytes', mediaType, base64: needText(source, 'data', path) });
    }
    case 'url': {
      const url = needText(source, 'url', path);
      if (!/^https?:\/\//i.test(url)) refuseField(`${path}.url`, 'must be an http address');
      return placeAt(`${path}.url`, { type: 'url', url, mediaType: undefined });
    }
    case 'text':
      return { type: 'text', text: needText(source, 'data', path) };
    case 'file':
      return placeAt(`${path}.file_id`, {
        type: 'file',
        id: needText(source, 'file_id', path),
        protocol: HOME,
      });
    default:
      return refuseField(`${path}.type`, 'must be one of base64, url, text, content, file');
  }
}

/** A quoted source is seen by other protocols as its title, its place and its text. */
function decodeSearchResult(block: JsonObject): TextBlock {
  const texts = Array.isArray(block.content)
    ? block.content.map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    : [];
  const lines = [block.title, block.source, texts.join('')];
  return {
    type: 'text',
    text: lines.filter((line) => typeof line === 'string' && line !== '').join('\n'),
    ext: { [HOME]: { [VERBATIM]: block } },
  };
}
