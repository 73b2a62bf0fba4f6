import { type Channel, joinInSlices, omitUndefined } from '@mg/contract';
import { isObject, type JsonObject, readObjectInSlices } from '@mg/protocols';
import type { BatchOrder, BatchRequest, BatchResult, BatchSurface, OwnBatches } from '@mg/providers';
import { type JobHttp, type JobHttpResponse, MAX_BATCH_ANSWER_BYTES } from '@mg/transport';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { redactUpstreamError } from '../../drive/redact-upstream-error.js';
import { splitLines } from '../split-lines.js';

const REQUEST_MS = 60_000;
/** For a request that holds all requests of a batch. */
const UPLOAD_MS = 5 * 60_000;
/** Longer than a request is on its way once we have given it up. */
const ON_ITS_WAY_SECONDS = 60;
const MS_PER_SECOND = 1_000;
const MOST_PAGES = 20;
/** Clocks differ: a batch may seem to be older, or younger, than the request that made it. */
const CLOCKS_DIFFER_SECONDS = 10 * 60;
/** An answer to a request, and what stands around it. */
export const MAX_RESULT_BYTES = MAX_BATCH_ANSWER_BYTES + 64 * 1024;
const DONE = 200;
const GONE = new Set([404, 410]);

/** What the provider's list says of a batch whose creation was not heard of. */
export interface FoundBatches {
  /** The batch. */
  readonly id?: string;
  /** Batches that may be it. */
  readonly candidates: readonly string[];
}

/** A provider wants to be asked at another server: our key does not go there. */
export class ForeignAddress extends Error {
  override readonly name = 'ForeignAddress';
}

/** A key of a channel. */
export interface ChannelKey {
  /** Headers that carry it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether something new may be begun with it. */
  readonly isEnabled: boolean;
}

/** A provider's batches, asked with one key of one channel. */
export class ProviderClient {
  readonly surface: BatchSurface;
  /** Whether a batch may be created with its key. */
  readonly isKeyEnabled: boolean;
  readonly #http: Pick<JobHttp, 'send' | 'open'>;
  readonly #channel: Channel;
  readonly #own: OwnBatches;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    http: Pick<JobHttp, 'send' | 'open'>,
    channel: Channel,
    own: OwnBatches,
    { headers, isEnabled }: ChannelKey,
  ) {
    this.surface = own.api;
    this.#http = http;
    this.#channel = channel;
    this.#own = own;
    this.#headers = headers;
    this.isKeyEnabled = isEnabled;
  }

  /** Longer than a request that creates a batch may be on its way. */
  get createdWithinSeconds(): number {
    return this.#createMs / MS_PER_SECOND + ON_ITS_WAY_SECONDS;
  }

  /** @throws UpstreamFailure, ForeignAddress */
  async upload(request: BatchRequest): Promise<JobHttpResponse> {
    return this.#send(request, UPLOAD_MS);
  }

  /** @throws UpstreamFailure: whether there is a batch now is not known. */
  create(request: BatchRequest): Promise<JobHttpResponse> {
    return this.#send(request, this.#createMs);
  }

  /** @throws UpstreamFailure */
  retrieve(upstreamId: string): Promise<JobHttpResponse> {
    return this.#send(this.surface.retrieve(upstreamId));
  }

  /** @throws UpstreamFailure */
  cancel(upstreamId: string): Promise<JobHttpResponse> {
    return this.#send(this.surface.cancel(upstreamId));
  }

  /**
   * Looks for a batch of ours that was created so many seconds ago.
   *
   * @throws Error where it cannot be found out.
   */
  async find(order: BatchOrder, seconds: number): Promise<FoundBatches> {
    const { surface } = this;
    const askedAt = Date.now() - seconds * MS_PER_SECOND;
    const since = askedAt - CLOCKS_DIFFER_SECONDS * MS_PER_SECOND;
    const until = askedAt + (this.createdWithinSeconds + CLOCKS_DIFFER_SECONDS) * MS_PER_SECOND;
    const candidates: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const { status, json } = await this.#send(surface.list(after));
      const list = status === DONE && json ? surface.readList(json) : undefined;
      if (!list) throw new Error(`the list of batches was answered with status ${status}`);
      for (const batch of list.batches) {
        const id = surface.readId(batch);
        if (id === undefined) continue;
        const createdAt = surface.readCreatedAt(batch);
        const isOurs = surface.isOrdered(batch, order);
        if (isOurs) return { id, candidates: [] };
        if (createdAt !== undefined && createdAt < since) return { candidates };
        if (isOurs === undefined && (createdAt === undefined || createdAt <= until)) candidates.push(id);
      }
      if (list.next === undefined) return { candidates };
      after = list.next;
    }
    throw new Error('the list of batches is too long');
  }

  /**
   * The texts of results as they come in, but for those that are too long.
   *
   * @returns `undefined` where they are gone.
   * @throws UpstreamFailure
   */
  async openResults(request: BatchRequest): Promise<AsyncIterable<Buffer> | undefined> {
    const { status, body } = await this.#http.open(this.#address(request), this.#channel.timeouts, false);
    if (status === DONE) return readTexts(body);
    body.destroy();
    if (GONE.has(status)) return undefined;
    throw new Error(`a file of results was answered with status ${status}`);
  }

  /** What a text of `openResults` says; `undefined` where it is no JSON, and says nothing of any request. */
  async readResult(text: Buffer): Promise<BatchResult | undefined> {
    const line = await readObjectInSlices(text, setImmediate);
    return line && this.surface.readResult(line);
  }

  /** A request that holds the requests of its batch takes as long as an upload. */
  get #createMs(): number {
    return this.surface.upload ? REQUEST_MS : UPLOAD_MS;
  }

  async #send(request: BatchRequest, totalMs = REQUEST_MS): Promise<JobHttpResponse> {
    const address = this.#address(request);
    const body = request.body && (await joinInSlices(request.body, setImmediate));
    return this.#http.send(omitUndefined({ ...address, body }), { ...this.#channel.timeouts, totalMs });
  }

  /** @throws ForeignAddress */
  #address({ method, url: given, headers, path, isBesideVersion }: BatchRequest) {
    const own = new URL(this.#own.address(omitUndefined({ path, isBesideVersion })));
    const url = given === undefined ? own : URL.parse(given);
    if (url?.origin !== own.origin)
      throw new ForeignAddress('the provider names an address that is not its own');
    return { method, url, headers: { ...this.#headers, ...headers } };
  }
}

async function* readTexts(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const { text } of splitLines(body, MAX_RESULT_BYTES)) if (text) yield text;
  } finally {
    body.destroy();
  }
}

/** What a provider says is wrong: bounded, and without anything that looks like a credential. */
export function readComplaint(json: JsonObject | undefined): string | undefined {
  const { error, errors } = json ?? {};
  const [first] = isObject(errors) && Array.isArray(errors.data) ? errors.data : [error];
  const { code, type, message } = isObject(first) ? first : {};
  return typeof message === 'string'
    ? redactUpstreamError({ code: String(code ?? type), message }).message
    : undefined;
}
