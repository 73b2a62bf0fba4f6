import { setTimeout as sleep } from 'node:timers/promises';
import { type CallerToken, GatewayError } from '@mg/contract';
import type { Conversation, StoredResponses, StoredTurn } from '@mg/persistence/gateway';
import {
  type ChatEnvelope,
  type ChatProtocol,
  type ConversationMemory,
  parseRequestBody,
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
}

/** Longer requests and answers are not kept. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** How long the end of an answer waits for it to be kept. */
const KEPT_WITHIN_MS = 2_000;
const PREVIOUS = 'previous_response_id';
const EMPTY_LIST = '[]';
const COMMA = Buffer.from(',');

/**
 * A request with the whole conversation that it goes on from, as far as the caller's wallet has one, and with summaries in the
 * place of what was compacted.
 *
 * @returns `undefined` for a request that refers to nothing.
 * @throws GatewayError `invalid_request` where a response is not known or a compaction cannot be read, `insufficient_balance` for an empty wallet,
 *   `rate_limited`, `service_unavailable`.
 */
export async function recallConversation(
  body: Buffer,
  { memory }: Pick<ChatProtocol, 'memory'>,
  { caller, lease }: OpeningCall,
  {
    responses,
    compactions,
    funds,
    shares,
  }: Pick<GatewayContext, 'responses' | 'compactions' | 'funds' | 'shares'>,
): Promise<RecalledRequest | undefined> {
  if (!memory?.mayRefer(body)) return undefined;
  const references = memory.readReferences(parseRequestBody(body));
  const { previousId, holdsCompaction } = references;
  const store = caller.storesResponses === false ? undefined : responses;
  if (!store && previousId !== undefined) throw refusePrevious('missing', previousId);
  const itemIds = store ? references.itemIds : [];
  if (previousId === undefined && itemIds.length === 0 && !holdsCompaction) return undefined;
  await funds.need(caller);
  return shares.recalls.takeTurn(caller.id, async () => {
    const known = store ? await findItems(itemIds, memory, caller, store) : new Map<string, unknown>();
    const earlier = store && previousId ? await findEarlier(previousId, memory, caller, store) : [];
    const input = memory.resolveItems(references.input, known);
    const open = (items: readonly unknown[]) => openCompactions(items, memory, caller, compactions);
    const before = await stringifyInSlices(await open(earlier), nextTurn);
    const own = await stringifyInSlices(await open(input), nextTurn);
    lease.take(before.length + own.length);
    const whole = memory.replaceInput(body, joinLists(before, own));
    await parseWritten(whole);
    return { body: whole, input, inputBytes: own.length, previousId };
  });
}

/** One list of the items of two, all written as JSON. */
function joinLists(first: Buffer, second: Buffer): Buffer {
  if (first.length === EMPTY_LIST.length) return second;
  if (second.length === EMPTY_LIST.length) return first;
  return Buffer.concat([first.subarray(0, -1), COMMA, second.subarray(1)]);
}

/** Every item of a conversation, in order. @throws GatewayError */
async function findEarlier(
  previousId: string,
  memory: ConversationMemory,
  { walletId }: CallerToken,
  responses: StoredResponses,
): Promise<readonly unknown[]> {
  const turns = await readStored(responses.findConversation(walletId, previousId));
  if (turns === 'missing' || turns === 'too-long') throw refusePrevious(turns, previousId);
  return listItems(turns, memory);
}

/** Everything that was said in some turns. */
export function listItems(turns: readonly StoredTurn[], memory: ConversationMemory): readonly unknown[] {
  return turns.flatMap(({ input, response }) => [...input, ...memory.readOutput(response)]);
}

async function findItems(
  itemIds: readonly string[],
  memory: ConversationMemory,
  { walletId }: CallerToken,
  responses: StoredResponses,
): Promise<ReadonlyMap<string, unknown>> {
  if (itemIds.length === 0) return new Map();
  const turns = await readStored(responses.findByItems(walletId, itemIds));
  const items = listItems(turns, memory);
  return new Map(items.flatMap((item) => memory.listItemIds([item]).map((id) => [id, item] as const)));
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

interface KeptCall {
  readonly envelope: ChatEnvelope;
  /** The request as it was received. */
  readonly asked: Buffer;
  readonly recalled: RecalledRequest | undefined;
  readonly caller: CallerToken;
}

/** How the answer to a request is kept for later ones; `undefined` where it is not to be. */
export function keepResponse(
  { memory }: Pick<ChatProtocol, 'memory'>,
  { envelope, asked, recalled, caller }: KeptCall,
  { responses, logger }: Pick<GatewayContext, 'responses' | 'logger'>,
): ((last: Buffer) => Promise<void>) | undefined {
  if (!memory || !responses || caller.storesResponses === false) return undefined;
  const { mayKeep, input } = memory.readReferences(envelope.parsed);
  if (!mayKeep || (recalled?.inputBytes ?? asked.length) > MAX_KEPT_BYTES) return undefined;
  const keep = async (last: Buffer) => {
    const response = memory.readFinishedResponse(last, envelope.stream);
    if (!response) return;
    const own = recalled?.input ?? input;
    const itemIds = memory.listItemIds([...own, ...memory.readOutput(response)]);
    const previousId = recalled?.previousId;
    await responses.keep(caller.walletId, {
      id: String(response.id),
      previousId,
      itemIds,
      input: own,
      response: { ...response, previous_response_id: previousId ?? null, store: true },
    });
  };
  return async (last) => {
    if (last.length > MAX_KEPT_BYTES) return;
    const kept = keep(last).catch((error: unknown) => logger.warn({ err: error }, 'a response is not kept'));
    await Promise.race([kept, sleep(KEPT_WITHIN_MS, undefined, { ref: false })]);
  };
}
