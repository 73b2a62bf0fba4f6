import { omitUndefined } from '@mg/contract';
import type {
  Block,
  ReasoningBlock,
  Signature,
  ToolCallBlock,
  ToolResultBlock,
  Turn,
} from '../canonical/blocks.js';
import { readCallId } from '../canonical/call-ids.js';
import { readList, readObjects, readText } from '../canonical/read-fields.js';
import { limitDataUrls } from '../canonical/media-type.js';
import { placeAt } from '../canonical/places.js';
import { writeInput } from '../canonical/json-text.js';
import { countItems, limitTurn, limitTools } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import { limitToolName, restoreToolName } from '../canonical/tool-name.js';
import type { ToolOrigin } from '../canonical/tool-origin.js';
import { isObject, type JsonObject } from '../json.js';
import { flattenName, listFlatNames, TOOL_SEARCH, wrapInput } from './caller-tools.js';
import { decodeContentPart } from './decode-parts.js';
import { decodeEncrypted } from './signatures.js';

/** A model writes less in its longest answer. The text becomes one of JSON in one step, in some milliseconds. */
const MOST_INPUT_CHARACTERS = 512 * 1024;

interface OpenTurn {
  readonly role: Turn['role'];
  readonly blocks: Block[];
}

/** Turns of a conversation as its items are read one after the other. */
class InputReader {
  readonly turns: OpenTurn[] = [];
  /** Whether more items of the same side may join the last turn. */
  #lastGrows = false;
  /** How much the last turn holds. */
  #items = 0;
  readonly #calls = new Map<string, ToolCallBlock>();
  #callSignature: Signature | undefined;
  /** The item that is being read. */
  #path = '';

  read(item: JsonObject, path: string): void {
    this.#path = path;
    const type = readText(item.type) ?? (item.role === undefined ? '' : 'message');
    if (type === 'additional_tools' || (type === 'tool_search_output' && !isRunByClient(item))) return;
    const read = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
    if (read) read(this, item, path);
    else if (type === '') refuseField(`${path}.type`, 'must be a string');
    else this.addOpaque(item, path);
  }

  addOpaque(item: JsonObject, path: string): void {
    const role = isNeeded(readText(item.type) ?? '') ? 'user' : 'assistant';
    this.add(role, placeAt(path, { type: 'opaque', protocol: 'openai-responses', raw: item }));
  }

  /** Items of one side form one turn: what the model said, or what its tools answered. */
  add(role: 'user' | 'assistant', ...blocks: Block[]): void {
    const last = this.turns.at(-1);
    if (last?.role === role && this.#lastGrows) {
      last.blocks.push(...blocks);
      this.#items += countItems(blocks);
      limitTurn(this.#items, 'input');
    } else this.#begin(role, blocks, true);
  }

  addMessage(item: JsonObject, path: string): void {
    const blocks = decodeContent(item.content, `${path}.content`).filter((block) => !isEmptyText(block));
    if (item.role === 'assistant') {
      if (blocks.length > 0) this.add('assistant', ...blocks);
      return;
    }
    const isSystem = item.role === 'system' || item.role === 'developer';
    if (!isSystem && item.role !== 'user') {
      refuseField(`${path}.role`, 'must be one of system, developer, user, assistant');
    }
    if (blocks.length === 0) return;
    this.#begin(isSystem ? 'system' : 'user', blocks, false);
  }

  /** What one agent of Codex's says to another comes from outside of the model, and says who speaks. */
  addAgentMessage(item: JsonObject, path: string): void {
    const from = readText(item.author) ?? 'another agent';
    const to = readText(item.recipient) ?? 'you';
    const opening: Block = { type: 'text', text: `Message from ${from} to ${to}:` };
    this.#begin('user', [opening, ...decodeContent(item.content, `${path}.content`)], false);
  }

  #begin(role: Turn['role'], blocks: Block[], grows: boolean): void {
    this.turns.push(placeAt(this.#path, { role, blocks }));
    this.#items = countItems(blocks);
    this.#lastGrows = grows;
  }

  addReasoning(item: JsonObject, path: string): void {
    limitTurn(readList(item.summary).length + readList(item.content).length, path);
    const { block, callSignature } = decodeReasoningItem(item);
    this.#callSignature = callSignature ?? this.#callSignature;
    if (block) this.add('assistant', block);
  }

  addCall(item: JsonObject, path: string): void {
    const args = readText(item.arguments) ?? refuseField(`${path}.arguments`, 'must be a string');
    const { name, origin } = readCalledTool(item, 'function', path);
    this.#addCall(item, omitUndefined({ name, arguments: args === '' ? '{}' : args, origin }), path);
  }

  addCustomCall(item: JsonObject, path: string): void {
    const input = readText(item.input) ?? refuseField(`${path}.input`, 'must be a string');
    if (input.length > MOST_INPUT_CHARACTERS) {
      refuseField(`${path}.input`, `must have at most ${MOST_INPUT_CHARACTERS} characters`);
    }
    this.#addCall(item, { ...readCalledTool(item, 'custom', path), arguments: wrapInput(input) }, path);
  }

  addSearchCall(item: JsonObject, path: string): void {
    const origin: ToolOrigin = { kind: 'tool-search', name: TOOL_SEARCH, raw: item };
    const call = { name: TOOL_SEARCH, arguments: writeInput(item.arguments ?? {}), origin };
    this.#addCall(item, call, path);
  }

  #addCall(item: JsonObject, call: Pick<ToolCallBlock, 'name' | 'arguments' | 'origin'>, path: string): void {
    const id = readCallId(readText(item.call_id) ?? refuseField(`${path}.call_id`, 'must be a string'));
    const signature = this.#callSignature;
    this.#callSignature = undefined;
    const block: ToolCallBlock = { type: 'tool-call', id, ...call, ...omitUndefined({ signature }) };
    this.#calls.set(id, block);
    this.add('assistant', placeAt(path, block));
  }

  addResult(item: JsonObject, path: string): void {
    this.#addResult(item, decodeOutput(item.output, path), path);
  }

  /** The tools themselves are declared with the others; the model reads their names. */
  addSearchResult(item: JsonObject, path: string): void {
    let count = limitTools(item.tools, `${path}.tools`);
    for (const tool of readObjects(item.tools)) count = limitTools(tool.tools, `${path}.tools`, count);
    const names = readObjects(item.tools).flatMap((tool) => listFlatNames(tool));
    const text =
      names.length === 0 ? 'No tools were found.' : `Tools that can be called now: ${names.join(', ')}`;
    this.#addResult(item, [{ type: 'text', text }], path);
  }

  #addResult(item: JsonObject, content: ToolResultBlock['content'], path: string): void {
    const callId = readCallId(readText(item.call_id) ?? refuseField(`${path}.call_id`, 'must be a string'));
    const call = this.#calls.get(callId);
    const origin: ToolOrigin | undefined = call?.origin && { ...call.origin, raw: item };
    const result: Block = {
      type: 'tool-result',
      callId,
      name: call?.name,
      content,
      isError: false,
      ...omitUndefined({ origin }),
    };
    this.add('user', placeAt(`${path}.call_id`, result));
  }
}

function readCalledTool(
  item: JsonObject,
  kind: 'function' | 'custom',
  path: string,
): { readonly name: string; readonly origin?: ToolOrigin } {
  const given = readText(item.name) ?? refuseField(`${path}.name`, 'must be a string');
  const name = limitToolName(given, `${path}.name`);
  const namespace = readText(item.namespace);
  if (kind === 'function' && namespace === undefined) return { name: restoreToolName(name) };
  return {
    name: namespace === undefined ? restoreToolName(name) : flattenName(namespace, name),
    origin: omitUndefined({ kind, name, namespace }),
  };
}

/** A search that the provider ran itself has no id, and has loaded what is declared with the other tools. */
function isRunByClient(item: JsonObject): boolean {
  return typeof item.call_id === 'string';
}

const ITEMS: Readonly<Record<string, (reader: InputReader, item: JsonObject, path: string) => void>> = {
  message: (reader, item, path) => reader.addMessage(item, path),
  agent_message: (reader, item, path) => reader.addAgentMessage(item, path),
  reasoning: (reader, item, path) => reader.addReasoning(item, path),
  function_call: (reader, item, path) => reader.addCall(item, path),
  function_call_output: (reader, item, path) => reader.addResult(item, path),
  custom_tool_call: (reader, item, path) => reader.addCustomCall(item, path),
  custom_tool_call_output: (reader, item, path) => reader.addResult(item, path),
  tool_search_call: (reader, item, path) => {
    if (isRunByClient(item)) reader.addSearchCall(item, path);
    else reader.addOpaque(item, path);
  },
  tool_search_output: (reader, item, path) => reader.addSearchResult(item, path),
  item_reference: (reader, item, path) => {
    if (!isReasoningReference(item)) refuseField(path, 'refers to an item: send the item itself');
    reader.add('assistant', toLostReasoning(item));
  },
};

/** Whether an item stands for reasoning that lies in the account of whoever made it: a conversation can go on without it. */
export function isReasoningReference({ type, id }: JsonObject): boolean {
  return type === 'item_reference' && typeof id === 'string' && id.startsWith('rs_');
}

/** Reasoning that no protocol can be given, so that every encoder names it as left out. */
function toLostReasoning(item: JsonObject): ReasoningBlock {
  return {
    type: 'reasoning',
    text: '',
    redacted: { protocol: 'openai-responses', value: readText(item.id) ?? '' },
  };
}

/** Items that answer the model come from the caller's side; a whole conversation, or the wish to compact it, cannot be left out either. */
function isNeeded(type: string): boolean {
  return type.endsWith('_output') || type === 'mcp_approval_response' || type.includes('compaction');
}

/** Turns of `input`: plain text, or items in order. @throws GatewayError `invalid_request` */
export function* decodeInput(input: unknown): Steps<Turn[]> {
  if (input === undefined || input === null || input === '') return [];
  if (typeof input === 'string') return [{ role: 'user', blocks: [{ type: 'text', text: input }] }];
  if (!Array.isArray(input)) refuseField('input', 'must be a string or an array');
  const reader = new InputReader();
  for (const [index, item] of (input as unknown[]).entries()) {
    yield;
    if (!isObject(item)) refuseField(`input[${index}]`, 'must be an object');
    reader.read(item, `input[${index}]`);
  }
  return reader.turns;
}

function decodeContent(content: unknown, path: string): Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) refuseField(path, 'must be a string or an array of parts');
  limitTurn(content.length, path);
  const parts = readObjects(content);
  limitDataUrls(
    parts.flatMap((part) => [part.image_url, part.file_url, part.file_data]),
    path,
  );
  return (content as unknown[]).map((part, index) => {
    const name = `${path}[${index}]`;
    return isObject(part) ? decodeContentPart(part, name) : refuseField(name, 'must be an object');
  });
}

function decodeOutput(output: unknown, path: string): ToolResultBlock['content'] {
  if (output === undefined || output === null) return [];
  return decodeContent(output, `${path}.output`).flatMap((block) =>
    isEmptyText(block) || (block.type !== 'text' && block.type !== 'media') ? [] : [block],
  );
}

function isEmptyText(block: Block): boolean {
  return block.type === 'text' && block.text === '';
}

export interface DecodedReasoning {
  readonly block: ReasoningBlock | undefined;
  /** What the item carries for the call that follows it. */
  readonly callSignature: Signature | undefined;
}

/** Reads an item of reasoning: its summary or text, and what proves it. */
export function decodeReasoningItem(item: JsonObject): DecodedReasoning {
  const summary = readObjects(item.summary).map((part) => readText(part.text) ?? '');
  const content = readObjects(item.content).map((part) => readText(part.text) ?? '');
  const text = [...summary, ...content].filter((part) => part !== '').join('\n\n');
  const encrypted = readText(item.encrypted_content);
  if (encrypted === undefined || encrypted === '') {
    return { block: text === '' ? undefined : { type: 'reasoning', text }, callSignature: undefined };
  }
  const { kind, signature } = decodeEncrypted(readText(item.id), encrypted);
  if (kind === 'call') return { block: undefined, callSignature: signature };
  const block: ReasoningBlock =
    kind === 'redacted'
      ? { type: 'reasoning', text, redacted: signature }
      : { type: 'reasoning', text, signature };
  return { block, callSignature: undefined };
}
