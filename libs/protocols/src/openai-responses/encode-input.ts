import { omitUndefined } from '@mg/contract';
import { arrangeToolResults } from '../canonical/arrange-tool-results.js';
import type {
  Block,
  OpaqueBlock,
  ReasoningBlock,
  ToolCallBlock,
  ToolResultBlock,
  Turn,
} from '../canonical/blocks.js';
import { shortenCallId } from '../canonical/call-ids.js';
import { limitLeading } from '../canonical/limit-items.js';
import { nameOpaque } from '../canonical/name-opaque.js';
import { placeOf } from '../canonical/places.js';
import { refuseContent, refuseField } from '../canonical/refuse.js';
import { refuseResultPart } from '../canonical/refuse-result-part.js';
import type { Steps } from '../canonical/steps.js';
import { VERBATIM } from '../canonical/report-foreign-extensions.js';
import type { JsonObject } from '../json.js';
import { unwrapInput } from './caller-tools.js';
import { encodeAssistantText, encodeMedia } from './encode-parts.js';
import { adaptName } from './encode-tools.js';
import { splitEncrypted } from './signatures.js';
import type { OpenAiResponsesContext } from './traits.js';

const HOME = 'openai-responses';
const MAX_CALL_ID = 64;

export interface EncodedInput {
  readonly instructions: string | undefined;
  readonly input: readonly JsonObject[];
}

/** @throws GatewayError `invalid_request` */
export function* encodeInput(turns: readonly Turn[], context: OpenAiResponsesContext): Steps<EncodedInput> {
  const arranged = yield* arrangeToolResults(turns);
  const firstOther = arranged.findIndex((turn) => !isInstruction(turn));
  const leading = firstOther < 0 ? arranged : arranged.slice(0, firstOther);
  limitLeading(leading, context);
  const instructions = leading.flatMap(readTexts).join('\n\n');
  const input: JsonObject[] = [];
  for (const turn of arranged.slice(leading.length)) {
    yield;
    input.push(...encodeTurn(turn, context));
  }
  if (input.length > 0) return { instructions: instructions === '' ? undefined : instructions, input };
  if (instructions === '') refuseField('messages', 'must hold at least one turn with content');
  return {
    instructions: undefined,
    input: [toMessage('user', [{ type: 'input_text', text: instructions }])],
  };
}

function isInstruction(turn: Turn): boolean {
  return turn.role === 'system' && turn.blocks.every((block) => block.type === 'text');
}

function readTexts(turn: Turn): string[] {
  return turn.blocks.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
}

function toMessage(role: string, content: readonly JsonObject[]): JsonObject {
  return { type: 'message', role, content };
}

function encodeTurn(turn: Turn, context: OpenAiResponsesContext): JsonObject[] {
  if (turn.role === 'assistant') return encodeAssistant(turn.blocks, context);
  if (turn.role === 'user') return encodeUser(turn.blocks, context);
  if (context.traits.supportsLaterSystemTurns === false) {
    const text = `<system-reminder>\n${readTexts(turn).join('\n\n')}\n</system-reminder>`;
    return [toMessage('user', [{ type: 'input_text', text }])];
  }
  const content = turn.blocks.flatMap((block) => encodeInputBlock(block, context));
  const role = context.traits.supportsDeveloperRole === true ? 'developer' : 'system';
  return content.length === 0 ? [] : [toMessage(role, content)];
}

/** What tools answered, then what the user said: opaque items stand where they stood. */
function encodeUser(blocks: readonly Block[], context: OpenAiResponsesContext): JsonObject[] {
  const items: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const block of blocks) {
    if (block.type === 'tool-result') items.push(encodeResult(block, context));
    else if (block.type === 'opaque') items.push(...encodeOpaque(block, 'user', context));
    else content.push(...encodeInputBlock(block, context));
  }
  return content.length === 0 ? items : [...items, toMessage('user', content)];
}

function encodeInputBlock(block: Block, context: OpenAiResponsesContext): JsonObject[] {
  if (block.type === 'text') {
    const { [VERBATIM]: _verbatim, ...own } = block.ext?.[HOME] ?? {};
    return block.text === '' ? [] : [{ type: 'input_text', text: block.text, ...own }];
  }
  if (block.type === 'media') return [{ ...encodeMedia(block, context), ...block.ext?.[HOME] }];
  return block.type === 'opaque' ? encodeOpaque(block, 'system', context) : [];
}

/** What another protocol's model did by itself is history; what its user said cannot be left out. */
function encodeOpaque(block: OpaqueBlock, role: Turn['role'], context: OpenAiResponsesContext): JsonObject[] {
  if (block.protocol === 'openai-responses') return [block.raw];
  const name = nameOpaque(block);
  if (role === 'user') refuseContent(block, `it has no content of type ${JSON.stringify(name)}`, context);
  context.dropped.add(`messages.${name}`);
  return [];
}

function encodeResult(block: ToolResultBlock, context: OpenAiResponsesContext): JsonObject {
  if (block.origin?.kind === 'tool-search' && block.origin.raw) return block.origin.raw;
  const texts = block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const mark = block.isError ? 'Error: ' : '';
  const hasMedia = block.content.some((part) => part.type === 'media');
  const parts = block.content.flatMap((part) => encodeResultPart(part, context));
  const output = hasMedia
    ? [...(block.isError ? [{ type: 'input_text', text: 'Error' }] : []), ...parts]
    : undefined;
  return {
    type: block.origin?.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output',
    call_id: shortenCallId(block.callId, MAX_CALL_ID),
    output: output ?? mark + texts.join(''),
  };
}

function encodeResultPart(
  part: ToolResultBlock['content'][number],
  context: OpenAiResponsesContext,
): JsonObject[] {
  return part.type === 'opaque' ? refuseResultPart(part, context) : encodeInputBlock(part, context);
}

/** Items of an assistant's turn; media, which it cannot hold, follow in a message of the user's. */
function encodeAssistant(blocks: readonly Block[], context: OpenAiResponsesContext): JsonObject[] {
  const items: JsonObject[] = [];
  const media: JsonObject[] = [];
  let content: JsonObject[] | undefined;
  for (const block of blocks) {
    if (block.type === 'text') {
      if (block.text === '') continue;
      if (!content) items.push(toMessage('assistant', (content = [])));
      content.push(encodeAssistantText(block));
      continue;
    }
    content = undefined;
    if (block.type === 'media') media.push(encodeMedia(block, context));
    else items.push(...encodeAssistantBlock(block, context));
  }
  return media.length === 0 ? items : [...items, toMessage('user', media)];
}

function encodeAssistantBlock(block: Block, context: OpenAiResponsesContext): JsonObject[] {
  switch (block.type) {
    case 'reasoning':
      return encodeReasoning(block, context);
    case 'opaque':
      return encodeOpaque(block, 'assistant', context);
    case 'tool-call':
      return [
        encodeOwnCall(block) ?? {
          type: 'function_call',
          call_id: shortenCallId(block.id, MAX_CALL_ID),
          name: adaptName(block.name, context, `${placeOf(block, 'messages')}.name`),
          arguments: block.arguments === '' ? '{}' : block.arguments,
        },
      ];
    default:
      return refuseContent(block, "an assistant's turn cannot hold this", context);
  }
}

/** A call of a tool in one of this protocol's own forms; `undefined` for a function. */
function encodeOwnCall({ id, origin, arguments: json }: ToolCallBlock): JsonObject | undefined {
  if (!origin) return undefined;
  const { kind, namespace, name } = origin;
  const call = omitUndefined({ call_id: shortenCallId(id, MAX_CALL_ID), namespace, name });
  if (kind === 'tool-search') return origin.raw;
  return kind === 'custom'
    ? { type: 'custom_tool_call', ...call, input: unwrapInput(json) }
    : { type: 'function_call', ...call, arguments: json };
}

/** Only reasoning that this protocol encrypted goes back to it, or plain reasoning to models that want it replayed. */
function encodeReasoning(block: ReasoningBlock, context: OpenAiResponsesContext): JsonObject[] {
  const summary = block.text === '' ? [] : [{ type: 'summary_text', text: block.text }];
  if (block.signature?.protocol === 'openai-responses') {
    const { id, encrypted } = splitEncrypted(block.signature.value);
    return [omitUndefined({ type: 'reasoning', id, summary, encrypted_content: encrypted })];
  }
  const isPlain = block.signature === undefined && block.redacted === undefined && block.text !== '';
  if (isPlain && context.traits.acceptsReasoningHistory) {
    return [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: block.text }] }];
  }
  context.dropped.add('messages.thinking');
  return [];
}
