import type { IncomingHttpHeaders } from 'node:http';

/** A body that is read from outside memory while it is sent. */
export interface StreamedBody {
  readonly length: number;
  read(): AsyncIterable<Buffer>;
}

/** Where and how long; everything an upstream is asked with. */
export interface UpstreamRequest {
  readonly url: URL;
  /** `POST` when left out. */
  readonly method?: 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | StreamedBody;
  /** Whether a stream of events is asked for. The head of a whole answer comes with the answer itself: it may take long. */
  readonly streamed: boolean;
  readonly timeouts: UpstreamTimeouts;
  /** Gateways that the call came through before this one. */
  readonly hops?: string | undefined;
  /** Where the call is in a trace: the place of the upstream's work there, in the headers of the W3C's Trace Context. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string } | undefined;
}

export interface UpstreamTimeouts {
  readonly connectMs: number;
  /** Until the first event of a stream; says nothing about whole answers. */
  readonly firstByteMs: number;
  /** Between two pieces of a stream that has begun, and of the body of an error. */
  readonly idleMs: number;
  /** Until the end of any answer; all that bounds a whole one. */
  readonly totalMs: number;
}

/**
 * Why an upstream gave no whole answer: `unreachable` when nothing was sent, `timeout` and `broken` after that, `deadline` when
 * a stream that had begun was still coming after the time for the whole, `aborted` when we ended the call ourselves.
 */
export type UpstreamFailureKind = 'unreachable' | 'timeout' | 'deadline' | 'broken' | 'aborted';

/** A call that ended without a whole answer. The message is for operators and names no credential. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';

  constructor(
    readonly kind: UpstreamFailureKind,
    message: string,
  ) {
    super(message);
  }
}

/** Takes the body of a reply. Exactly one of `end` and `fail` is called, and nothing after it. */
export interface BodyReader {
  /** May take its time: nothing else of the body comes until a promise that it answers has ended, and `fail` where that rejects. */
  data(chunk: Buffer): void | Promise<void>;
  end(): void;
  fail(failure: UpstreamFailure): void;
}

/** An upstream's answer whose head is here and whose body is still on its way. */
export interface UpstreamReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Starts or hands over the reading of the body; chunks that came before are delivered at once. */
  read(reader: BodyReader): void;
  /** Says that a stream has begun: from now on `idle` bounds its silence, no longer `first_byte`. */
  markBegun(): void;
  pause(): void;
  resume(): void;
}

/** A call in flight. */
export interface UpstreamCall {
  /** Rejects with an `UpstreamFailure` when no head comes. */
  readonly reply: Promise<UpstreamReply>;
  /** Ends the call; the upstream sees its connection close. Harmless when the call has ended. */
  abort(): void;
}
