import type { Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';
import type { Block, Citation, Signature } from './blocks.js';
import type { StopReason } from './reply.js';

/** How a block begins; its content follows in deltas. A block that comes whole is opened with all of it. */
export type BlockStart = Block;

export type BlockDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** A fragment of a call's argument JSON. */
  | { readonly type: 'arguments'; readonly json: string }
  /** Replaces, never appends. */
  | { readonly type: 'signature'; readonly signature: Signature }
  | { readonly type: 'citation'; readonly citation: Citation };

/** A failure within a reply, with a message for the caller. */
export interface Fault {
  readonly message: string;
  readonly type: string | undefined;
  readonly code: string | undefined;
}

/**
 * A reply in pieces. Blocks of a choice open and close in order and do not overlap; deltas come inside their block;
 * usage is cumulative; there is exactly one `reply-end` or `fault`, and nothing after it.
 */
export type CanonicalEvent =
  | { readonly type: 'reply-start'; readonly id: string; readonly model: string; readonly created: number }
  | {
      readonly type: 'block-start';
      readonly choice: number;
      readonly index: number;
      readonly block: BlockStart;
    }
  | {
      readonly type: 'block-delta';
      readonly choice: number;
      readonly index: number;
      readonly delta: BlockDelta;
    }
  | { readonly type: 'block-end'; readonly choice: number; readonly index: number }
  | {
      readonly type: 'choice-end';
      readonly choice: number;
      readonly stop: StopReason;
      readonly stopSequence: string | undefined;
      readonly refusal: string | undefined;
    }
  /** Of the tokens since the last such event, in the shape of OpenAI's chat. */
  | { readonly type: 'logprobs'; readonly choice: number; readonly logprobs: JsonObject }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'reply-end' }
  | { readonly type: 'fault'; readonly fault: Fault };
