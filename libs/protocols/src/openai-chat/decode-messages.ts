import { omitUndefined } from '@mg/contract';
import type { Block, ToolCallBlock, ToolResultBlock, Turn } from '../canonical/blocks.js';
import {
  checkObject,
  checkObjects,
  checkText,
  extend,
  needText,
  pickRest,
} from '../canonical/check-fields.js';
import { readCallId } from '../canonical/call-ids.js';
import { placeAt } from '../canonical/places.js';
import { countItems, limitTurn } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import { limitToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { limitReasoning, readCallSignature, readReasoning } from './carry-reasoning.js';
import { decodeParts } from './decode-parts.js';

const HOME = 'openai-chat';
const PLAIN_FIELDS = new Set(['role', 'content']);
const RESULT_FIELDS = new Set(['role', 'content', 'tool_call_id', 'name']);
const ASSISTANT_FIELDS = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'reasoning_content',
  'reasoning',
  'thinking_blocks',
  'reasoning_details',
]);

/** Lists of thoughts. */
const THOUGHT_LISTS = ['thinking_blocks', 'reasoning_details'];

/** Calls made so far, by which results find theirs. */
interface History {
  readonly names: Map<string, string>;
  /** Calls of the deprecated functions, which have no ids of their own. */
  functionCalls: number;
}

type Decode = (message: JsonObject, path: string, history: History) => Turn;

const DECODERS: ReadonlyMap<unknown, Decode> = new Map<unknown, Decode>([
  ['system', (message, path) => decodePlain('system', message, path)],
  ['developer', (message, path) => decodePlain('system', message, path)],
  ['user', (message, path) => decodePlain('user', message, path)],
  ['assistant', decodeAssistant],
  ['tool', decodeTool],
  ['function', decodeFunctionResult],
]);

/** Reads the messages of a request. @throws GatewayError naming the field that is wrong. */
export function* decodeMessages(body: JsonObject): Steps<Turn[]> {
  const history: History = { names: new Map(), functionCalls: 0 };
  const turns: Turn[] = [];
  /** Blocks of the turn that results are gathered in; none after any other message. */
  let results: Block[] | undefined;
  /** How many items they hold. */
  let items = 0;
  for (const { item, name } of checkObjects(body, 'messages')) {
    yield;
    const decode = DECODERS.get(item.role);
    if (!decode)
      return refuseField(`${name}.role`, 'must be one of system, developer, user, assistant, tool');
    const turn = decode(item, name, history);
    const isTool = item.role === 'tool' || item.role === 'function';
    if (isTool && results) {
      results.push(...turn.blocks);
      items += countItems(turn.blocks);
      limitTurn(items, 'messages');
      continue;
    }
    results = isTool ? [...turn.blocks] : undefined;
    items = countItems(turn.blocks);
    turns.push(placeAt(name, results ? { ...turn, blocks: results } : turn));
  }
  return turns;
}

function decodePlain(role: 'system' | 'user', message: JsonObject, path: string): Turn {
  return {
    role,
    blocks: decodeParts(message.content, `${path}.content`),
    ...extend(HOME, pickRest(message, PLAIN_FIELDS)),
  };
}

function decodeAssistant(message: JsonObject, path: string, history: History): Turn {
  const refusal = checkText(message, 'refusal', path);
  const content = decodeParts(message.content, `${path}.content`);
  for (const field of THOUGHT_LISTS) limitTurn(readList(message[field]).length, `${path}.${field}`);
  limitReasoning(message, path);
  const blocks: Block[] = [...readReasoning(message), ...content];
  if (refusal) blocks.push({ type: 'text', text: refusal });
  if (checkObject(message, 'audio', path) && content.length === 0) {
    refuseField(`${path}.audio`, 'points to audio kept by another provider; send its transcript as content');
  }
  const calls = checkObjects(message, 'tool_calls', path);
  limitTurn(calls.length, `${path}.tool_calls`);
  for (const { item, name } of calls) {
    blocks.push(decodeCall(item, name, history));
  }
  const legacy = checkObject(message, 'function_call', path);
  if (legacy) blocks.push(decodeFunctionCall(legacy, `${path}.function_call`, history));
  return { role: 'assistant', blocks, ...extend(HOME, pickRest(message, ASSISTANT_FIELDS)) };
}

function decodeCall(call: JsonObject, path: string, history: History): ToolCallBlock {
  const custom = checkObject(call, 'custom', path);
  if (custom) return refuseField(`${path}.custom`, 'is a call of a custom tool, which no other protocol has');
  const called = checkObject(call, 'function', path) ?? refuseField(`${path}.function`, 'must be an object');
  const id = readCallId(needText(call, 'id', path));
  const name = limitToolName(needText(called, 'name', `${path}.function`), `${path}.function.name`);
  history.names.set(id, name);
  const signature = readCallSignature(call);
  return placeAt(`${path}.function`, {
    type: 'tool-call',
    id,
    name,
    arguments: checkText(called, 'arguments', `${path}.function`) || '{}',
    ...omitUndefined({ signature }),
  });
}

function decodeFunctionCall(call: JsonObject, path: string, history: History): ToolCallBlock {
  const name = limitToolName(needText(call, 'name', path), `${path}.name`);
  history.functionCalls++;
  const id = functionCallId(history);
  history.names.set(id, name);
  return { type: 'tool-call', id, name, arguments: checkText(call, 'arguments', path) || '{}' };
}

function functionCallId(history: History): string {
  return `call_function_${history.functionCalls}`;
}

function decodeTool(message: JsonObject, path: string, history: History): Turn {
  const callId = readCallId(needText(message, 'tool_call_id', path));
  return toResultTurn(message, path, callId, history.names.get(callId) ?? checkText(message, 'name', path));
}

/** A result of a deprecated function answers the call before it. */
function decodeFunctionResult(message: JsonObject, path: string, history: History): Turn {
  return toResultTurn(message, path, functionCallId(history), needText(message, 'name', path));
}

function toResultTurn(message: JsonObject, path: string, callId: string, name: string | undefined): Turn {
  const content = decodeParts(message.content, `${path}.content`).filter(isResultPart);
  const rest = extend(HOME, pickRest(message, RESULT_FIELDS));
  const result: ToolResultBlock = { type: 'tool-result', callId, name, content, isError: false, ...rest };
  return { role: 'user', blocks: [placeAt(`${path}.tool_call_id`, result)] };
}

function isResultPart(block: Block): block is ToolResultBlock['content'][number] {
  return block.type === 'text' || block.type === 'media' || block.type === 'opaque';
}
