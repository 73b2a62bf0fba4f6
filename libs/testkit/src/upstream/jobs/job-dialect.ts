import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../json.js';
import type { PollStep, RefusalReason } from './job-behaviour.js';
import type { FakeJob } from './job-store.js';

export interface JobArrival {
  readonly method: string;
  /** Below the dialect's own prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** What a request wants: to order a job or a remix of one, to poll or find it, its result where that stands elsewhere, or its bytes. */
export type JobRoute =
  | { readonly kind: 'create' }
  | { readonly kind: 'poll' | 'result' | 'cancel' | 'content' | 'remix'; readonly id: string };

export interface JobFacts {
  readonly model: string;
  readonly prompt: string;
  readonly seconds?: unknown;
  readonly reference?: unknown;
}

/** Where this server can be reached, for answers that report addresses. */
export interface JobAddresses {
  /** Base address of the dialect, without a final slash. */
  readonly base: string;
  /** Link to the job's video. */
  readonly video: string;
}

export interface JobAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** States that a dialect has words for; replies and breaks are the server's. */
export type ReportedStep = Exclude<PollStep, 'drop' | object>;

/** One provider's way of saying it. */
export interface JobDialect {
  /** First segment of its address on this server. */
  readonly name: string;
  route(arrival: JobArrival): JobRoute | undefined;
  readKey(headers: IncomingHttpHeaders): string;
  readFacts(arrival: JobArrival): JobFacts;
  /** The id of the n-th job. */
  writeId(count: number, facts: JobFacts): string;
  describeMade(job: FakeJob, addresses: JobAddresses): JobAnswer;
  describePoll(job: FakeJob, step: ReportedStep, addresses: JobAddresses): JobAnswer;
  describeResult?(job: FakeJob, step: ReportedStep, addresses: JobAddresses): JobAnswer;
  describeRefusal(reason: RefusalReason, message: string): JobAnswer;
  /** The answer for an unknown id, where this provider has words of its own. */
  describeMissing?(): JobAnswer;
  /** Whether the video itself wants the credential. */
  readonly guardsContent?: boolean;
}
