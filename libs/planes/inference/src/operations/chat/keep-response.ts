import { setTimeout as sleep } from 'node:timers/promises';
import { type CallerToken, newId, omitUndefined, sha256 } from '@mg/contract';
import type { ResponseHolder } from '@mg/persistence/gateway';
import type { ChatEnvelope, ChatProtocol, JsonObject } from '@mg/protocols';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Operation } from '../../call/operation.js';
import type { AnswerKeeper } from '../../call/prepared-attempt.js';
import { nextTurn } from '../../edge/loop-turns.js';
import type { RecalledRequest } from './recall-conversation.js';

/** Longer requests are not kept, nor their answers. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
/** Answers that are longer are not kept. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Nor are those of more items: no request can go on from them. */
const MAX_ANSWER_ITEMS = 2_048;
/** How long the end of an answer waits for it to be kept. */
const KEPT_WITHIN_MS = 2_000;

interface KeptCall {
  readonly envelope: ChatEnvelope;
  /** The request as it was received. */
  readonly asked: Buffer;
  readonly recalled: RecalledRequest | undefined;
  readonly caller: CallerToken;
}

/** How the answer to a request is kept. */
interface Keeping {
  readonly keepAnswer: NonNullable<Operation['keepAnswer']>;
  /** Whether later requests may go on from it, and not from its conversation alone. */
  readonly isStored: boolean;
}

/**
 * How the answer to a request is kept for later ones, and added to the conversation that it goes on with; `undefined` where
 * neither is to be.
 */
export function keepResponse(
  { memory }: Pick<ChatProtocol, 'memory'>,
  { envelope, asked, recalled, caller }: KeptCall,
  { responses, conversations, logger }: Pick<GatewayContext, 'responses' | 'conversations' | 'logger'>,
): Keeping | undefined {
  if (!memory || !responses || caller.storesResponses === false) return undefined;
  const { mayKeep, input } = memory.readReferences(envelope.parsed);
  const { conversationId, previousId } = recalled ?? {};
  if (!mayKeep && conversationId === undefined) return undefined;
  if ((recalled?.inputBytes ?? asked.length) > MAX_INPUT_BYTES) return undefined;
  const { walletId } = caller;
  const keep = async (last: Buffer, keeper: AnswerKeeper | undefined) => {
    const response = await memory.readFinishedResponse(last, envelope.stream, nextTurn);
    const output = memory.readOutput(response);
    if (!response || output.length > MAX_ANSWER_ITEMS) return;
    const own = recalled?.input ?? input;
    const items = [...own, ...output];
    if (conversationId !== undefined) {
      const named = items.map((item) => ({ id: memory.nameItem(item, newId().replaceAll('-', '')), item }));
      await conversations?.append(walletId, conversationId, named, { always: true });
    }
    if (!mayKeep) return;
    await responses.keep(walletId, {
      id: String(response.id),
      // A conversation is gone on with by its own id: its earlier items are no responses.
      previousId: previousId ?? conversationId,
      itemIds: memory.listItemIds(items),
      input: own,
      response: { ...response, ...describeMemory(recalled, true) },
      // An account that keeps nothing says so, and what only looks like the provider says nothing.
      heldBy: keeper && response.store === true ? nameHolder(keeper) : undefined,
    });
  };
  const keepAnswer: Keeping['keepAnswer'] = async (last, keeper) => {
    if (last.length > MAX_ANSWER_BYTES) return;
    const kept = keep(last, keeper).catch((error: unknown) =>
      logger.warn({ err: error }, 'a response is not kept'),
    );
    await Promise.race([kept, sleep(KEPT_WITHIN_MS, undefined, { ref: false })]);
  };
  return { keepAnswer, isStored: mayKeep };
}

function nameHolder({ channelId, apiKey }: AnswerKeeper): ResponseHolder {
  return { channelId, keyHash: sha256(apiKey) };
}

/** What a response says of what its request goes on from, and of whether it is kept. */
export function describeMemory(recalled: RecalledRequest | undefined, isStored: boolean): JsonObject {
  const { previousId, conversationId } = recalled ?? {};
  return omitUndefined({
    previous_response_id: previousId ?? null,
    conversation: conversationId === undefined ? undefined : { id: conversationId },
    store: isStored,
  });
}
