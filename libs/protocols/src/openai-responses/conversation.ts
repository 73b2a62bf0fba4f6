import type { UpstreamError } from '../canonical/upstream-error.js';
import { refuseField } from '../canonical/refuse.js';
import type { ConversationMemory, References } from '../chat/conversation-memory.js';
import { parseLargeData, readLargeBlock } from '../framing/read-large-events.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { cutPieces } from '../splice-json.js';
import { recallParsed } from '../strict-json/parsed-bodies.js';
import { isCompactionTrigger, readCompaction, writeSummary } from './compaction.js';
import { listInputItems } from './list-items.js';
import { RESPONSE_ID } from './request-schema.js';

const PREVIOUS = 'previous_response_id';
/** Items that one request may name. */
const MAX_REFERENCES = 1_000;
/** Of the id of an item, in characters: no item that is kept has a longer one. */
const LONGEST_ITEM_ID = 512;
/** One of these is in every request that refers to anything. */
const MARKS = [PREVIOUS, 'item_reference', 'compaction', '"conversation"'];
/** Answers of which nothing is unknown but reasoning, whose tokens are among those of the answer. */
const SHOWN = new Set(
  'message reasoning function_call custom_tool_call local_shell_call apply_patch_call computer_call'.split(
    ' ',
  ),
);
/** Answers over this size are parsed in steps. */
const PARSED_AT_ONCE_BYTES = 64 * 1024;
/** Types of events that end a stream with a response to go on from. */
const ENDS = new Set(['response.completed', 'response.incomplete']);

/** @throws GatewayError `invalid_request` for what is no reference. */
function readReferences({
  previous_response_id: previous,
  conversation,
  store,
  input,
}: JsonObject): References {
  const isId = typeof previous === 'string' && RESPONSE_ID.test(previous);
  if (previous !== undefined && previous !== null && !isId) {
    refuseField(PREVIOUS, 'must be the id of a response');
  }
  const conversationId = readConversationId(conversation);
  if (isId && conversationId !== undefined) {
    refuseField('conversation', 'cannot be used together with previous_response_id');
  }
  const items = readInput(input);
  return {
    conversationId,
    previousId: isId ? previous : undefined,
    itemIds: readItemIds(items),
    mayKeep: store !== false,
    holdsCompaction: items.some((item) => readCompaction(item) !== undefined),
    input: items,
  };
}

function readConversationId(conversation: unknown): string | undefined {
  if (conversation === undefined || conversation === null) return undefined;
  const id = isObject(conversation) ? conversation.id : conversation;
  if (typeof id === 'string' && RESPONSE_ID.test(id)) return id;
  return refuseField('conversation', 'must be the id of a conversation');
}

/** The ids of the items that an input names: each once, since an item may be long and its name is short. */
function readItemIds(items: readonly unknown[]): readonly string[] {
  const ids = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (!isReference(item)) continue;
    if (item.id.length > LONGEST_ITEM_ID) refuseField(`input[${index}].id`, 'must be the id of an item');
    if (ids.has(item.id)) refuseField(`input[${index}].id`, 'names an item that was named before');
    if (ids.size === MAX_REFERENCES) {
      refuseField(
        `input[${index}]`,
        `is one item_reference more than the ${MAX_REFERENCES} that may be sent`,
      );
    }
    ids.add(item.id);
  }
  return [...ids];
}

function readInput(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}

function isReference(item: unknown): item is JsonObject & { readonly id: string } {
  return isObject(item) && item.type === 'item_reference' && typeof item.id === 'string';
}

/** The items of an input with those that are known in the place of references to them. */
function resolveItems(input: readonly unknown[], known: ReadonlyMap<string, unknown>): readonly unknown[] {
  return input.map((item) => (isReference(item) ? (known.get(item.id) ?? item) : item));
}

/** The request with a whole conversation as its input: nobody has to remember anything for it. */
function replaceInput(body: Buffer, input: Buffer): readonly Buffer[] {
  return cutPieces(
    body,
    new Map([
      ['input', input],
      [PREVIOUS, undefined],
      ['conversation', undefined],
    ]),
  );
}

/** The request as it goes on from what its upstream keeps. */
function replaceOwnInput(body: Buffer, input: Buffer): readonly Buffer[] {
  return cutPieces(body, new Map([['input', input]]));
}

/**
 * Whether an upstream says that it has not got the response that it was to go on from, or may not use it: it was deleted, its time
 * is over, it lies in another project, or the account keeps nothing.
 */
function isForgotten({ code, param, message = '' }: UpstreamError): boolean {
  if (code === 'previous_response_not_found' || param === PREVIOUS) return true;
  return message.includes(PREVIOUS);
}

/** Ids of items, where they have one. */
function listItemIds(items: readonly unknown[]): string[] {
  return items.flatMap((item) => (isObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

/** What the ids of items begin with, by the type of the item. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
  compaction: 'cmp',
};

/** The id by which a conversation is to know an item: its own, or a new one. */
function nameItem(item: unknown, unique: string): string {
  const { id, type } = isObject(item) ? item : {};
  if (typeof id === 'string' && RESPONSE_ID.test(id)) return id;
  const prefix = ID_PREFIXES[typeof type === 'string' ? type : 'message'] ?? 'item';
  return `${prefix}_${unique}`;
}

/** The items of a response's answer. */
function readOutput(response: unknown): readonly unknown[] {
  return isObject(response) && Array.isArray(response.output) ? response.output : [];
}

/** The most tokens of a response that a provider which keeps it reads later, and that its items do not show. */
function boundUnshownTokens(response: unknown): number | undefined {
  const isShown = readOutput(response).every(
    (item) => isObject(item) && typeof item.type === 'string' && SHOWN.has(item.type),
  );
  const usage = isObject(response) && isObject(response.usage) ? response.usage : {};
  const { output_tokens: tokens } = usage;
  return isShown && typeof tokens === 'number' && Number.isSafeInteger(tokens) ? tokens : undefined;
}

type Pause = () => Promise<void>;

async function readFinishedResponse(
  bytes: Buffer,
  stream: boolean,
  pause: Pause,
): Promise<JsonObject | undefined> {
  const response = await (stream ? findFinished(bytes, pause) : parseAnswer(bytes, pause));
  const isOver = response?.status === 'completed' || response?.status === 'incomplete';
  return isOver && typeof response.id === 'string' && RESPONSE_ID.test(response.id) ? response : undefined;
}

async function parseAnswer(bytes: Buffer, pause: Pause): Promise<JsonObject | undefined> {
  if (bytes.length <= PARSED_AT_ONCE_BYTES) return parseObject(bytes.toString('utf8'));
  return (await parseLargeData(bytes, pause))?.value;
}

async function findFinished(block: Buffer, pause: Pause): Promise<JsonObject | undefined> {
  for await (const { data, bytes } of readLargeBlock(block, pause)) {
    const event = bytes
      ? await parseAnswer(bytes, pause)
      : data === undefined
        ? undefined
        : parseObject(data);
    if (typeof event?.type === 'string' && ENDS.has(event.type) && isObject(event.response)) {
      return event.response;
    }
  }
  return undefined;
}

/** What a gateway remembers of this protocol's calls, and how a request goes on from there. */
export const memory: ConversationMemory = {
  // Looking through megabytes takes longer than looking at what was parsed of them.
  mayRefer: (body) => recallParsed(body) !== undefined || MARKS.some((mark) => body.includes(mark)),
  readReferences,
  resolveItems,
  readCompaction,
  isCompactionTrigger,
  writeSummary,
  replaceInput,
  replaceOwnInput,
  isForgotten,
  listItemIds,
  nameItem,
  readOutput,
  boundUnshownTokens,
  readFinishedResponse,
  listInputItems,
};
