import { type CallerToken, freeBuffer, GatewayError } from '@mg/contract';
import type { Conversation, NoConversation, ResponseHolder, StoredTurn } from '@mg/persistence/gateway';
import {
  type ChatProtocol,
  type ConversationMemory,
  joinInSlices,
  parseRequestBody,
  type References,
  stringifyInSlices,
} from '@mg/protocols';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { OpeningCall } from '../../call/operation.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { parseWritten } from '../../edge/read-json-body.js';
import { openCompactions } from './open-compactions.js';

/** A request whose references to earlier calls were replaced by what they stand for. */
export interface RecalledRequest {
  readonly body: Buffer;
  /** What it brought itself. */
  readonly input: readonly unknown[];
  /** Length of that as JSON. */
  readonly inputBytes: number;
  readonly previousId: string | undefined;
  /** The conversation that it goes on with and adds to. */
  readonly conversationId: string | undefined;
  /** What an upstream keeps of what it goes on from. */
  readonly held: HeldRequest | undefined;
}

/** A request for an upstream that keeps what the request goes on from. */
export interface HeldRequest {
  readonly heldBy: ResponseHolder;
  /** Tokens at most that the upstream reads beside the whole conversation as it is known here. */
  readonly unshownTokens: number;
  /** The request with its reference to the response before, and what it brought itself. */
  readonly body: Buffer;
}

type RecallingGateway = Pick<
  GatewayContext,
  'responses' | 'conversations' | 'compactions' | 'funds' | 'shares'
>;

/** Whose request is looked up, and where: nowhere for a key that nothing is kept of. */
interface Recall {
  readonly memory: ConversationMemory;
  readonly caller: CallerToken;
  readonly gateway: Pick<RecallingGateway, 'responses' | 'conversations'>;
}

/** Longer inputs of a conversation are refused. */
const MAX_CONVERSATION_INPUT_BYTES = 1024 * 1024;
const PREVIOUS = 'previous_response_id';
const CONVERSATION = 'conversation';
const EMPTY_LIST = '[]';
const COMMA = Buffer.from(',');

/**
 * A request with the whole conversation that it goes on from, as far as the caller's wallet has one, and with summaries in the
 * place of what was compacted.
 *
 * @returns `undefined` for a request that refers to nothing.
 * @throws GatewayError `invalid_request` where what it refers to is not known or cannot be read, `insufficient_balance` for an
 *   empty wallet, `rate_limited`, `service_unavailable`.
 */
export async function recallConversation(
  body: Buffer,
  { memory }: Pick<ChatProtocol, 'memory'>,
  { caller, lease }: OpeningCall,
  gateway: RecallingGateway,
): Promise<RecalledRequest | undefined> {
  if (!memory?.mayRefer(body)) return undefined;
  const references = memory.readReferences(parseRequestBody(body));
  const { previousId, conversationId, holdsCompaction } = references;
  const recall: Recall = { memory, caller, gateway: caller.storesResponses === false ? {} : gateway };
  const itemIds = recall.gateway.responses ? references.itemIds : [];
  const refers = previousId !== undefined || conversationId !== undefined || itemIds.length > 0;
  if (!refers && !holdsCompaction) return undefined;
  await gateway.funds.need(caller);
  return gateway.shares.recalls.takeTurn(caller.id, async () => {
    const known = await findItems(itemIds, recall);
    // What was asked to be compacted then is no wish of this request.
    const { items, heldBy, unshownTokens } = await findEarlier(references, recall);
    const earlier = items.filter((item) => !memory.isCompactionTrigger(item));
    const input = memory.resolveItems(references.input, known);
    const open = (items: readonly unknown[]) => openCompactions(items, memory, caller, gateway.compactions);
    const before = await stringifyInSlices(await open(earlier), nextTurn);
    const own = await stringifyInSlices(await open(input), nextTurn);
    if (conversationId !== undefined && own.length > MAX_CONVERSATION_INPUT_BYTES) throw refuseLongInput();
    lease.take(before.length + own.length);
    const list = await joinLists(before, own);
    const whole = await joinInSlices(memory.replaceInput(body, list), nextTurn);
    for (const written of [before, list]) if (written !== own) freeBuffer(written);
    await parseWritten(whole);
    const isOwnChanged = itemIds.length > 0 || holdsCompaction;
    const goOn = async () => (isOwnChanged ? writeOwn(body, own, memory, lease) : body);
    const held =
      heldBy && unshownTokens !== undefined ? { heldBy, unshownTokens, body: await goOn() } : undefined;
    return { body: whole, input, inputBytes: own.length, previousId, conversationId, held };
  });
}

async function writeOwn(
  body: Buffer,
  own: Buffer,
  memory: ConversationMemory,
  lease: OpeningCall['lease'],
): Promise<Buffer> {
  lease.take(body.length + own.length);
  const written = await joinInSlices(memory.replaceOwnInput(body, own), nextTurn);
  await parseWritten(written);
  return written;
}

/** One list of the items of two, all written as JSON. */
async function joinLists(first: Buffer, second: Buffer): Promise<Buffer> {
  if (first.length === EMPTY_LIST.length) return second;
  if (second.length === EMPTY_LIST.length) return first;
  return joinInSlices([first.subarray(0, -1), COMMA, second.subarray(1)], nextTurn);
}

/** What a request goes on from. */
interface Earlier {
  /** Every item of it, in order. */
  readonly items: readonly unknown[];
  /** Who keeps all of it upstream. */
  readonly heldBy?: ResponseHolder | undefined;
  /** Tokens of it at most that its items do not show; `undefined` where nothing bounds them. */
  readonly unshownTokens?: number | undefined;
}

/** @throws GatewayError */
async function findEarlier(
  { previousId, conversationId }: References,
  { memory, caller: { walletId }, gateway: { responses, conversations } }: Recall,
): Promise<Earlier> {
  if (conversationId !== undefined) {
    const items = conversations
      ? await readStored(conversations.readAll(walletId, conversationId))
      : 'missing';
    if (items === 'missing' || items === 'too-long') throw refuseConversation(items, conversationId);
    return { items };
  }
  if (previousId === undefined) return { items: [] };
  const turns = responses ? await readStored(responses.findConversation(walletId, previousId)) : 'missing';
  if (turns === 'missing' || turns === 'too-long') throw refusePrevious(turns, previousId);
  return {
    items: listItems(turns, memory),
    heldBy: turns.at(-1)?.heldBy,
    unshownTokens: boundUnshown(turns, memory),
  };
}

function boundUnshown(turns: readonly StoredTurn[], memory: ConversationMemory): number | undefined {
  let sum = 0;
  for (const { response } of turns) {
    const tokens = memory.boundUnshownTokens(response);
    if (tokens === undefined) return undefined;
    sum += tokens;
  }
  return sum;
}

/** Everything that was said in some turns. */
export function listItems(turns: readonly StoredTurn[], memory: ConversationMemory): readonly unknown[] {
  return turns.flatMap(({ input, response }) => [...input, ...memory.readOutput(response)]);
}

async function findItems(
  itemIds: readonly string[],
  { memory, caller: { walletId }, gateway: { responses } }: Recall,
): Promise<ReadonlyMap<string, unknown>> {
  if (itemIds.length === 0 || !responses) return new Map();
  const turns = await readStored(responses.findByItems(walletId, itemIds));
  const known = new Map<string, unknown>();
  for (const turn of turns) {
    for (const item of listItems([turn], memory)) {
      for (const id of memory.listItemIds([item])) known.set(id, item);
    }
    // Each may have thousands.
    await nextTurn();
  }
  return known;
}

function refusePrevious(why: Exclude<Conversation, readonly unknown[]>, id: string): GatewayError {
  return why === 'missing'
    ? new GatewayError('invalid_request', `Previous response with id '${id}' not found.`, {
        param: PREVIOUS,
      })
    : new GatewayError(
        'invalid_request',
        `${PREVIOUS} goes on from more than a request can hold: send what matters of it as input.`,
        { param: PREVIOUS },
      );
}

function refuseConversation(why: NoConversation, id: string): GatewayError {
  const message =
    why === 'missing'
      ? `Conversation with id '${id}' not found.`
      : `${CONVERSATION} holds more than a request can: delete items of it, or begin another one.`;
  return new GatewayError('invalid_request', message, { param: CONVERSATION });
}

function refuseLongInput(): GatewayError {
  const message = 'input is longer than what a conversation takes of one call: send less of it at a time.';
  return new GatewayError('invalid_request', message, { param: 'input' });
}

/** @throws GatewayError `service_unavailable` when the database does not answer. */
export async function readStored<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    throw new GatewayError('service_unavailable', 'Earlier responses cannot be read at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
