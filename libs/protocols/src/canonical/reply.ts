import type { Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';
import type { Block, Extensions } from './blocks.js';

/**
 * Why a reply ended: `stop` of itself, `stop-sequence`, at a `length`, for a `tool-call`, `filtered` by a policy,
 * or `paused` by the provider to be continued.
 */
export type StopReason = 'stop' | 'stop-sequence' | 'length' | 'tool-call' | 'filtered' | 'paused';

export interface CanonicalChoice {
  readonly blocks: readonly Block[];
  readonly stop: StopReason;
  /** The stop string that was met, where the protocol reports it. */
  readonly stopSequence: string | undefined;
  /** Why the model or a policy refused, as text. */
  readonly refusal: string | undefined;
  /** In the shape of OpenAI's chat: `{content: [{token, logprob, bytes, top_logprobs}]}`. */
  readonly logprobs: JsonObject | undefined;
}

/** A whole reply free of any wire format. */
export interface CanonicalReply {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch; 0 where the protocol does not report it. */
  readonly created: number;
  readonly choices: readonly CanonicalChoice[];
  readonly usage: Usage | undefined;
  readonly ext: Extensions;
}
