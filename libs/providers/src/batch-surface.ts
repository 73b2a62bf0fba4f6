import type { JsonObject } from '@mg/protocols';

/** A request to a provider's batch API, without its credential. */
export interface BatchRequest {
  readonly method: 'GET' | 'POST';
  /** Below the versioned base address, with its query. */
  readonly path: string;
  /** Whether the path stands beside the version of the base address instead, since it names one itself. */
  readonly isBesideVersion?: boolean;
  /** Where the provider said that it is to be asked, in the place of the path. Nothing goes to another server than the channel's. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In pieces, since it may hold all requests of a batch. */
  readonly body?: readonly Buffer[];
}

/** A batch that a provider is to make. */
export interface BatchOrder {
  /** Our id of it, a UUID: its name at a provider that keeps one. */
  readonly id: string;
  /** Path of its requests, below the versioned base address. */
  readonly endpoint: string;
  /** How many requests it has. */
  readonly count: number;
  /** Headers of its caller's, for each of its requests. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a batch is made of: an uploaded file, or the requests themselves, each as `writeRequest` wrote it. */
export type BatchInput =
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'requests'; readonly requests: readonly Buffer[] };

/** How a provider's batch goes on. */
export type BatchProgress =
  | {
      readonly kind: 'running';
      /** Whether it may be cancelled: what it has made by then must not be lost. */
      readonly isCancellable: boolean;
    }
  /** Its results stand there, each on a line of its own. */
  | {
      readonly kind: 'ended';
      readonly outcome: 'completed' | 'cancelled' | 'expired' | 'failed';
      readonly results: readonly BatchRequest[];
      /** Whether they name every request; otherwise one that they do not name was not carried out. */
      readonly namesAll: boolean;
    }
  /** The provider has found fault with all of it, and has carried out nothing. */
  | { readonly kind: 'failed' };

/** What a line of results says of one request. */
export interface BatchResult {
  /** The name that `writeRequest` was given, if it is one of ours. */
  readonly name: unknown;
  /** As a call would have been answered; left out where the request certainly was not carried out. */
  readonly answer?: { readonly status: number; readonly body: JsonObject };
}

/** Headers of an answer. */
export type BatchHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How requests are uploaded before a batch is made of them. */
export interface BatchUpload {
  /** Asked before, where an upload has to be announced. @param bytes of all requests. */
  announce?(id: string, bytes: number): BatchRequest;
  /**
   * @param id names the file.
   * @param announced headers of the answer to `announce`; none where there is no such thing.
   */
  request(id: string, requests: readonly Buffer[], announced: BatchHeaders): BatchRequest;
  /** The file's id in the answer. */
  readId(answer: JsonObject): string | undefined;
}

/**
 * Batches that a provider carries out itself. Pure: it builds requests and reads answers, and somebody else sends them. Where
 * the answer to a create was lost, its batch is found in the provider's list.
 */
export interface BatchSurface {
  /** Whether requests for this path, below the versioned base address, may be in a batch. */
  takes(endpoint: string): boolean;
  authorize(apiKey: string): Readonly<Record<string, string>>;
  /**
   * One request of a batch.
   *
   * @param name digits, letters, `_` and `-`, 64 at most.
   * @param body JSON.
   */
  writeRequest(name: string, body: Buffer, endpoint: string): Buffer;
  /** Left out where the request that creates a batch holds its requests. */
  readonly upload?: BatchUpload;
  create(order: BatchOrder, input: BatchInput): BatchRequest;
  retrieve(id: string): BatchRequest;
  cancel(id: string): BatchRequest;
  /** A page of batches, the newest first. @param after what the page before ended with. */
  list(after: string | undefined): BatchRequest;
  /** `undefined` where it is no list. */
  readList(
    answer: JsonObject,
  ): { readonly batches: readonly JsonObject[]; readonly next: string | undefined } | undefined;
  /** The id of a batch, as it was created, retrieved or listed. */
  readId(batch: JsonObject): string | undefined;
  /** When it was created, in milliseconds since 1970. */
  readCreatedAt(batch: JsonObject): number | undefined;
  /** Whether a batch of the list is the ordered one; `undefined` where only its results will tell. */
  isOrdered(batch: JsonObject, order: BatchOrder): boolean | undefined;
  /** `undefined` where the answer says nothing of it. */
  readProgress(batch: JsonObject): BatchProgress | undefined;
  readResult(line: JsonObject): BatchResult;
}
