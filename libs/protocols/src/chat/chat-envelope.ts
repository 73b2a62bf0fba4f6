import type { JsonObject } from '../json.js';

/** What the gateway must know of a chat request in any protocol; everything else stays in the raw bytes. */
export interface ChatEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client wants to see usage in its stream. */
  readonly includeUsage: boolean;
  /** Answers asked for. */
  readonly choices: number;
  /** The caller's own cap on the length of one answer, in tokens. */
  readonly maxTokens: number | undefined;
  /** Whether the client asked to see reasoning, where its protocol lets it say so. */
  readonly showReasoning?: boolean;
  /** Whether the client declares its tools as OpenAI's deprecated `functions`. */
  readonly functionCalls?: boolean;
  /** Settings that answers of the protocol repeat. */
  readonly repeated?: JsonObject;
  readonly parsed: JsonObject;
}
