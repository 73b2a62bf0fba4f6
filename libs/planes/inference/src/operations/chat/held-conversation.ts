import { sha256 } from '@mg/contract';
import type { ResponseHolder } from '@mg/persistence/gateway';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import type { AnswerKeeper } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import type { ChatAttempt } from './chat-attempt.js';
import type { ChatRequest } from './chat-request.js';
import { isNative } from './prepare-chat.js';

/** A conversation that an upstream keeps, and the request that goes on from there with nothing but what is new. */
export interface HeldConversation {
  readonly heldBy: ResponseHolder;
  /** Tokens at most that the upstream reads beside the whole conversation as it is known here. */
  readonly unshownTokens: number;
  readonly request: ChatRequest;
}

/**
 * The request for the channel and key that keep what it goes on from; `undefined` for any other, which are asked with the whole
 * conversation, as are batches, whose lines nobody could ask once more.
 */
export function findHeldRequest(
  { heldBy, request }: HeldConversation,
  endpoint: ChatEndpoint,
  { channel, apiKey, inBatch, isForgotten }: TimedAttempt,
): ChatRequest | undefined {
  if (inBatch || isForgotten || apiKey === undefined || !endpoint.surface.keptResponsePath) return undefined;
  if (channel.id !== heldBy.channelId || sha256(apiKey) !== heldBy.keyHash) return undefined;
  return isNative(endpoint, request) ? request : undefined;
}

/**
 * Who keeps the answer to an attempt, as far as the gateway decides that: an upstream that keeps responses, where the client's
 * own bytes reach it and its own answer reaches the client.
 */
export function findKeeper(
  { surface }: ChatEndpoint,
  { channel, apiKey, inBatch }: TimedAttempt,
  { isNative: isAsIs }: ChatAttempt,
): AnswerKeeper | undefined {
  if (!isAsIs || inBatch || apiKey === undefined || !surface.keptResponsePath) return undefined;
  return { channelId: channel.id, apiKey };
}
