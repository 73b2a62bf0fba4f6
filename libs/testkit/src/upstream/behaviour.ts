import type { AnswerShape } from './answer.js';

/** How one call is answered: what is said, how it travels, what is reported, and what goes wrong. Every part is optional. */
export interface Behaviour {
  readonly answer?: AnswerShape;
  readonly stream?: StreamStyle;
  readonly usage?: UsageStyle;
  readonly failure?: Failure;
  /** Awaited before the first byte: a delay, or a gate that the test opens. */
  readonly wait?: () => Promise<unknown>;
  /** Awaited between the two halves of an answer that is no stream. */
  readonly waitMidway?: () => Promise<unknown>;
}

/** The form of a stream on the wire. Without a word it is OpenAI's, byte for byte. */
export interface StreamStyle {
  readonly newline?: '\n' | '\r\n';
  /** What stands before an event's JSON. */
  readonly prefix?: 'data: ' | 'data:';
  /** Pause between events. */
  readonly paceMs?: number;
  /** Cuts the bytes into writes of this size, through events, lines and characters. */
  readonly splitBytes?: number;
  /** Pause after each write that `splitBytes` makes. */
  readonly splitPauseMs?: number;
  /** Text of a comment before each event, to keep the connection alive. */
  readonly comment?: string;
  /** An opening event with no choices, as Azure's content filter sends it. */
  readonly openingFilter?: boolean;
  /** Whether `[DONE]` closes the stream. */
  readonly done?: boolean;
  /** In binary frames of AWS instead of lines: with each event wrapped, or named by its frame. */
  readonly frames?: 'wrapped' | 'named';
  /** Whether the last line ends. */
  readonly finalNewline?: boolean;
}

export type UsagePlacement =
  /** OpenAI: an event of its own, without choices, when the caller asked for it. */
  | 'final'
  /** The same event, asked for or not. */
  | 'always'
  /** In the event that carries the finish reason. */
  | 'last-chunk'
  /** On each event, cumulative. */
  | 'every-chunk'
  /** Inside the finishing choice. */
  | 'in-choice'
  | 'never';

export interface UsageStyle {
  readonly placement?: UsagePlacement;
  /** Extra fields of look-alikes; xAI counts reasoning beside the completion instead of within it. */
  readonly dialect?: 'openai' | 'deepseek' | 'groq' | 'xai';
  /** Reported instead of the truth. */
  readonly figures?: unknown;
}

export type Failure =
  /** Something else than an answer; a text goes out as it is, anything else as JSON. */
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly body: unknown;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The answer breaks off after so many events; without a count, before the headers. */
  | { readonly kind: 'hang' | 'reset' | 'end'; readonly afterEvents?: number }
  | { readonly kind: 'error-event'; readonly afterEvents: number; readonly body: unknown };
