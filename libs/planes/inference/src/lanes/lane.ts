import type { Usage } from '@mg/contract';
import type { JsonObject, StreamReader } from '@mg/protocols';
import type { Surface } from '@mg/providers';
import type { Attempt } from '@mg/routing';
import type { DroppedFields } from '../call/dropped-fields.js';
import type { ChatCall } from '../chat/chat-call.js';
import { prepareCanonical } from './canonical-lane.js';
import { prepareNative } from './native-lane.js';

/** A whole answer, ready for the client. */
export interface LaneAnswer {
  readonly bytes: Buffer;
  readonly usage: Usage | undefined;
  /** What a tokenizer counts where usage is missing. */
  readonly producedText: string;
}

/** The way of one attempt: what the upstream is asked, and what its answer becomes. */
export interface Lane {
  readonly body: Buffer;
  readonly dropped: DroppedFields | undefined;
  /** @param parsed the same answer, parsed. */
  readAnswer(bytes: Buffer, parsed: JsonObject): LaneAnswer;
  createReader(): StreamReader;
}

/**
 * Two lanes, no third: where the channel speaks the client's protocol the bytes go through untouched, otherwise
 * through the canonical form.
 *
 * @throws GatewayError `invalid_request` where the channel's protocol cannot carry what was asked.
 */
export function prepareLane(surface: Surface, attempt: Attempt, chat: ChatCall): Lane {
  return surface.protocol === chat.request.protocol.name
    ? prepareNative(surface, attempt, chat)
    : prepareCanonical(surface, attempt, chat);
}
