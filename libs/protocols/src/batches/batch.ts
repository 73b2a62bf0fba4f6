/** Which API a batch came in by: OpenAI's, Anthropic's or Google's. */
export type BatchProtocol = 'batch' | 'message_batch' | 'google_batch';

/** A batch as its caller is shown it. */
export interface ShownBatch {
  readonly id: string;
  readonly endpoint: string;
  /** What its caller said when it was created. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly state:
    | 'validating'
    | 'in_progress'
    | 'cancelling'
    | 'finalizing'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'expired';
  readonly errors: readonly LineFault[] | undefined;
  readonly counts: Readonly<Record<'total' | 'succeeded' | 'failed' | 'cancelled' | 'expired', number>>;
  readonly outputFileId: string | undefined;
  readonly errorFileId: string | undefined;
  readonly createdAt: Date;
  readonly inProgressAt: Date | undefined;
  readonly cancellingAt: Date | undefined;
  readonly finalizingAt: Date | undefined;
  readonly endedAt: Date | undefined;
  readonly expiresAt: Date;
}

/** What is wrong with a line of a file, or with all of it. */
export interface LineFault {
  readonly code: string;
  readonly message: string;
  /** From 1 on; `null` for the file as a whole. */
  readonly line: number | null;
  readonly param: string | null;
}

/** A line of a batch, as its result names it. */
export interface BatchLine {
  readonly batchId: string;
  /** From 1 on. */
  readonly line: number;
  /** `custom_id`, the `key` of a line in Google's files, or the metadata of a request of Google's, which may be left out. */
  readonly tag: unknown;
}

/** What the gateway answered to a line. */
export interface LineAnswer {
  readonly status: number;
  /** `x-request-id`, by which the call stands in the log and in the ledger. */
  readonly requestId: string | undefined;
  /** The body: a JSON object without a line break. */
  readonly body: Buffer;
}

/** Why a line was never answered. */
export type Unanswered = 'cancelled' | 'expired' | 'unreadable';

/** A line of a file as it is sent, or what is wrong with it. */
export type ReadLine =
  | { readonly tag: string; readonly body: Buffer }
  | { readonly fault: Omit<LineFault, 'line'> };

export function refuseLine(code: string, message: string, param: string | null): ReadLine {
  return { fault: { code, message, param } };
}
