import type { Block, Turn } from '../canonical/blocks.js';
import { limitCarried } from '../canonical/carry-signature.js';
import { readCallId } from '../canonical/call-ids.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import { placeAt } from '../canonical/places.js';
import { countNested, limitTurn } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import { limitToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { decodeRequestPart, decodeResult, joinFragments } from './decode-parts.js';
import { normalisePart } from './normalise-keys.js';

/** Parts of a content that are read in a row: Google takes 3,600 images. */
const PARTS_OF_STEP = 256;

/** Calls made so far, so that results without ids find theirs: the oldest unanswered one of the same name. */
class CallLedger {
  /** Ids by name, each with how many calls it has: there may be thousands of them. */
  readonly #unanswered = new Map<string, Map<string, number>>();
  #made = 0;

  readonly nextId = (): string => `call_${++this.#made}`;

  open(name: string, id: string): void {
    const ids = this.#unanswered.get(name) ?? new Map<string, number>();
    ids.set(id, (ids.get(id) ?? 0) + 1);
    this.#unanswered.set(name, ids);
  }

  /** Id of the call that a result answers. */
  close(name: string, id: string | undefined): string | undefined {
    const ids = this.#unanswered.get(name);
    const taken = id ?? ids?.keys().next().value;
    const count = taken === undefined ? undefined : ids?.get(taken);
    if (taken === undefined || count === undefined) return taken;
    if (count > 1) ids?.set(taken, count - 1);
    else ids?.delete(taken);
    return taken;
  }
}

/** @throws GatewayError `invalid_request` */
export function* decodeContents(contents: unknown): Steps<Turn[]> {
  const list: unknown[] = Array.isArray(contents) ? contents : isObject(contents) ? [contents] : [];
  if (list.length === 0) refuseField('contents', 'must be a non-empty array');
  const ledger = new CallLedger();
  const turns: Turn[] = [];
  for (const [index, content] of list.entries()) {
    yield;
    const path = `contents[${index}]`;
    if (!isObject(content)) refuseField(path, 'must be an object');
    const parts = readObjects(content.parts);
    limitTurn(countNested(parts, listResultParts), `${path}.parts`);
    limitCarried(
      parts.map((part) => part.thoughtSignature ?? part.thought_signature),
      `${path}.parts`,
    );
    const blocks = yield* decodeParts(content, path, ledger);
    if (blocks.length === 0) continue;
    const isModel = readRole(content.role, path) === 'model';
    const role = isModel ? ('assistant' as const) : ('user' as const);
    turns.push(placeAt(path, { role, blocks: isModel ? joinFragments(blocks) : blocks }));
  }
  return turns;
}

/** What a result holds beside its object. */
function listResultParts(part: JsonObject): unknown {
  return readObject(part.functionResponse ?? part.function_response)?.parts;
}

/** Google's old `function` role spoke results; a missing role is a user's. */
function readRole(role: unknown, path: string): 'user' | 'model' {
  if (role === 'model') return 'model';
  if (role === undefined || role === null || role === '' || role === 'user' || role === 'function')
    return 'user';
  return refuseField(`${path}.role`, 'must be user or model');
}

function* decodeParts({ parts }: JsonObject, path: string, ledger: CallLedger): Steps<Block[]> {
  if (parts !== undefined && !Array.isArray(parts)) refuseField(`${path}.parts`, 'must be an array');
  const blocks: Block[] = [];
  for (const [index, part] of ((parts ?? []) as unknown[]).entries()) {
    if ((index + 1) % PARTS_OF_STEP === 0) yield;
    const name = `${path}.parts[${index}]`;
    if (!isObject(part)) refuseField(name, 'must be an object');
    blocks.push(...decodePart(yield* normalisePart(part), name, ledger));
  }
  return blocks;
}

function decodePart(part: JsonObject, name: string, ledger: CallLedger): readonly Block[] {
  if (isObject(part.functionResponse)) return [answer(part.functionResponse, name, ledger)];
  const blocks =
    decodeRequestPart(part, ledger.nextId) ?? refuseField(name, 'must hold content of a known kind');
  const read = blocks.map((block) =>
    block.type === 'tool-call' ? { ...block, id: readCallId(block.id) } : block,
  );
  for (const block of read) {
    placeBlock(block, part, name);
    if (block.type === 'tool-call') {
      ledger.open(limitToolName(block.name, `${name}.functionCall.name`), block.id);
    }
  }
  return read;
}

/** Media and calls are pointed to by the member of the part that holds them. */
function placeBlock(block: Block, part: JsonObject, name: string): void {
  if (block.type === 'media') placeAt(`${name}.${part.fileData ? 'fileData' : 'inlineData'}`, block.source);
  else placeAt(block.type === 'tool-call' ? `${name}.functionCall` : name, block);
}

function answer(response: JsonObject, path: string, ledger: CallLedger): Block {
  const name = readText(response.name);
  if (name === undefined) refuseField(`${path}.functionResponse.name`, 'must be a string');
  if (response.response !== undefined && !isObject(response.response)) {
    refuseField(`${path}.functionResponse.response`, 'must be an object');
  }
  limitToolName(name, `${path}.functionResponse.name`);
  const result = decodeResult(response, '');
  const id = readCallId(readText(response.id) ?? '') || undefined;
  const callId = ledger.close(result.name ?? name, id);
  if (callId === undefined) {
    refuseField(`${path}.functionResponse`, `answers "${name}", which no earlier content called`);
  }
  return placeAt(`${path}.functionResponse`, { ...result, callId });
}

/** `systemInstruction` is a content, one or more parts, or plain text. */
export function decodeSystem(instruction: unknown): Turn[] {
  if (instruction === undefined || instruction === null) return [];
  const parts = isObject(instruction) && 'parts' in instruction ? instruction.parts : instruction;
  if (Array.isArray(parts)) limitTurn(parts.length, 'systemInstruction.parts');
  const blocks = (Array.isArray(parts) ? (parts as unknown[]) : [parts]).flatMap((part, index): Block[] => {
    const text = typeof part === 'string' ? part : isObject(part) ? readText(part.text) : undefined;
    if (text === undefined) refuseField(`systemInstruction.parts[${index}]`, 'must hold text');
    return text === '' ? [] : [{ type: 'text', text }];
  });
  return blocks.length === 0 ? [] : [{ role: 'system', blocks }];
}
