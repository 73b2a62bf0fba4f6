import type { Usage } from '@mg/contract';
import type { JsonObject, StreamReader } from '@mg/protocols';
import type { DroppedFields } from '../call/dropped-fields.js';

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
