import type { TaskResult } from '@mg/contract';
import type { JsonObject, VideoOrder } from '@mg/protocols';
import type { Settings, SigningContext } from './signing.js';

/** What is to be made: an order by the generic video API, or the native API's body as the caller sent it. */
export type JobOrder =
  | { readonly apiVariant: 'generic'; readonly order: VideoOrder }
  | { readonly apiVariant: 'native'; readonly body: JsonObject };

/** What a job surface needs to know of a call to address it. */
export interface JobCall extends SigningContext {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** The channel's base address with the provider's version path, without a final slash. */
  readonly baseUrl: string;
  readonly settings: Settings;
  /** Our id of the task, for providers that make only one job of one reference. */
  readonly reference: string;
  /** Waited for between two steps of work on megabytes. */
  readonly pause?: () => Promise<void>;
  /** Bytes behind the addresses that `listMedia` asked for; nothing else is in it. */
  readonly media?: ReadonlyMap<string, JobMedia>;
}

/** An image that was fetched for a provider that takes no addresses. */
export interface JobMedia {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A request to a provider's job API, authorised and complete. */
export interface JobRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, which whoever sends it writes, or bytes. */
  readonly body?: JsonObject | Buffer;
  /** Of a submit: fields of the order that only hint and have no place at this provider, by the caller's names. */
  readonly dropped?: readonly string[];
}

export interface JobReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as JSON, where it is an object. */
  readonly json: JsonObject | undefined;
  /** The body's beginning, for messages. */
  readonly text: string;
}

/** A job as a provider knows it. */
export interface UpstreamJob {
  readonly id: string;
  /** What `readSubmit` kept for later, such as addresses that the provider returned. */
  readonly data: JsonObject;
}

/**
 * How a provider may refuse: what the caller sent, our credential, a limit, its own failure, or that the order came back to
 * a gateway that had sent it.
 */
export type RefusalKind = 'caller' | 'credential' | 'limited' | 'broken' | 'loop';

export type SubmitResult =
  | { readonly kind: 'accepted'; readonly job: UpstreamJob }
  /** Nothing was made, for certain. */
  | {
      readonly kind: 'refused';
      readonly fault: RefusalKind;
      readonly code: string;
      readonly message: string;
      readonly param?: string;
    }
  /** It is not known whether a job was made: a page of a proxy, or an answer that says nothing. */
  | { readonly kind: 'unclear'; readonly message: string };

export type PollResult =
  | {
      readonly kind: 'pending';
      readonly state: 'submitted' | 'running';
      readonly progress?: number;
      /** The provider's status, where it is not known here: worth a line in the log. */
      readonly unknownStatus?: string;
    }
  /** The job is done and its result stands elsewhere: ask this, then `readPoll` again with its answer and this job. */
  | { readonly kind: 'elsewhere'; readonly request: JobRequest; readonly job: UpstreamJob }
  | { readonly kind: 'succeeded'; readonly result: TaskResult; readonly actualSeconds?: number }
  | {
      readonly kind: 'ended';
      readonly state: 'failed' | 'expired' | 'cancelled';
      readonly code: string;
      readonly message: string;
    }
  /** The answer says nothing of the job: it goes on as before. */
  | { readonly kind: 'unclear'; readonly message: string };

/**
 * A provider's way of making videos: a job is submitted once, polled until it ends, and its result fetched. Pure: it
 * builds requests and reads answers, and somebody else sends them.
 */
export interface JobSurface {
  /** Whether the body of the native video API is spoken here as it is. */
  readonly native?: boolean;
  /** Whether orders for remixes are taken (`VideoOrder.remixOf`). */
  readonly remixes?: boolean;
  /** Models this surface serves; all of them when left out. */
  serves?(model: string): boolean;
  /** Https addresses in an order that this provider takes only as bytes: fetch them into `JobCall.media` before `submit`. */
  listMedia?(order: JobOrder): readonly string[];
  /**
   * @throws GatewayError `invalid_request` naming the order's field that this provider cannot do.
   */
  submit(order: JobOrder, call: JobCall): JobRequest | Promise<JobRequest>;
  readSubmit(reply: JobReply, call: JobCall, order: JobOrder): SubmitResult;
  poll(job: UpstreamJob, call: JobCall): JobRequest | Promise<JobRequest>;
  readPoll(reply: JobReply, job: UpstreamJob, call: JobCall): PollResult | Promise<PollResult>;
  /** Where the provider can cancel a job. */
  cancel?(job: UpstreamJob, call: JobCall): JobRequest | Promise<JobRequest>;
  /** Asks for a job whose submit has an unknown outcome, where the provider keeps our reference. */
  find?(order: JobOrder, call: JobCall): JobRequest | Promise<JobRequest>;
  /** `none` when the job was never made, for certain. */
  readFind?(reply: JobReply, call: JobCall, order: JobOrder): UpstreamJob | 'none' | 'unclear';
  /** How a result that needs the channel's credential is downloaded. */
  download?(result: TaskResult, call: JobCall): JobRequest | Promise<JobRequest>;
  /** Milliseconds between polls: the first, the longest. 3 s and 15 s when left out. */
  readonly pollEveryMs?: { readonly first: number; readonly longest: number };
  /** Present where the provider is simulated in this process: answers a request that would have been sent. */
  answer?(request: JobRequest): Promise<LocalJobReply>;
}

/** An answer made in this process; `bytes` for artefacts. */
export interface LocalJobReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}
