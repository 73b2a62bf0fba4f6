import { omitUndefined } from '@mg/contract';
import { isObject, type Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import type { BatchBehaviour, CarryOut } from './fake-batches.js';
import { GoogleRefusal, readGoogleLines, readGoogleOrder } from './read-google-order.js';
import type { RequestLine } from './read-orders.js';

/** What the requests of a batch are sent to. */
export interface GoogleBatchTarget {
  readonly model: string;
  readonly method: 'generateContent' | 'embedContent';
}

/** A batch as the upstream keeps it. */
export interface FakeGoogleBatch extends GoogleBatchTarget {
  readonly id: string;
  state: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | 'EXPIRED';
  readonly displayName: string;
  readonly createdAt: Date;
  readonly lines: RequestLine[];
  answered: number;
  isCancelled: boolean;
  responsesFile: string | undefined;
}

/** The upstream's batches by Google's API. */
export interface FakeGoogleBatches {
  /** Every batch since the start or the last reset, oldest first. */
  readonly made: readonly FakeGoogleBatch[];
  /** Sets what the next batches do, one after another; those after them answer everything. */
  behave(...behaviours: readonly BatchBehaviour[]): void;
  /** Origin of the addresses for uploads until the next reset: this server's own where it is not set. */
  uploadsAt: string | undefined;
}

const NEVER: BatchBehaviour = {};
const PAGE = 50;
const TYPES = 'type.googleapis.com/google.ai.generativelanguage.v1main';
/** Codes of google.rpc. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 429: 8 };
const INTERNAL = 13;

/**
 * Google's batches over uploaded files, in memory: requests are carried out one after another once a batch is made. What
 * Google refuses is refused; a batch that is cancelled, or expires, has no results.
 *
 * @see https://ai.google.dev/gemini-api/docs/batch-api
 */
export class GoogleBatchStore implements FakeGoogleBatches {
  readonly made: FakeGoogleBatch[] = [];
  readonly #files = new Map<string, string>();
  readonly #uploads = new Set<string>();
  uploadsAt: string | undefined;
  #behaviours: BatchBehaviour[] = [];
  #count = 0;

  behave(...behaviours: readonly BatchBehaviour[]): void {
    this.#behaviours = [...behaviours];
  }

  reset(): void {
    this.made.length = 0;
    this.#behaviours = [];
    this.uploadsAt = undefined;
  }

  /** Begins an upload. @returns what its address names it by. */
  beginUpload(): string {
    const id = this.#nameNext('upload');
    this.#uploads.add(id);
    return id;
  }

  /** @throws GoogleRefusal */
  upload(id: string, text: string): Json {
    if (!this.#uploads.delete(id)) throw new GoogleRefusal(404, 'NOT_FOUND', 'Upload not found.');
    const name = `files/${this.#nameNext('file')}`;
    this.#files.set(name, text);
    return { file: { name, mimeType: 'application/jsonl', sizeBytes: String(text.length), state: 'ACTIVE' } };
  }

  /** @throws GoogleRefusal */
  download(name: string): string {
    const text = this.#files.get(name);
    if (text !== undefined) return text;
    throw new GoogleRefusal(404, 'NOT_FOUND', `File ${name} not found.`);
  }

  /** @returns the operation; `undefined` where the request is not to be answered. @throws GoogleRefusal */
  create(target: GoogleBatchTarget, body: unknown, carryOut: CarryOut): Json | undefined {
    const behaviour = this.#behaviours.shift() ?? NEVER;
    if (typeof behaviour.create === 'number') {
      throw new GoogleRefusal(behaviour.create, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.');
    }
    if (behaviour.create === 'broken') return undefined;
    const { displayName, fileName } = readGoogleOrder(body);
    const lines = readGoogleLines(this.download(fileName));
    const batch: FakeGoogleBatch = {
      id: this.#nameNext('batch'),
      state: 'PENDING',
      ...target,
      displayName,
      createdAt: new Date(),
      lines: [...(lines ?? [])],
      answered: 0,
      isCancelled: false,
      responsesFile: undefined,
    };
    this.made.push(batch);
    if (lines) void this.#run(batch, behaviour, carryOut);
    else batch.state = 'FAILED';
    return behaviour.create === 'unanswered' ? undefined : describe(batch);
  }

  /** @throws GoogleRefusal */
  retrieve(id: string): Json {
    return describe(this.#find(id));
  }

  /** @throws GoogleRefusal */
  cancel(id: string): Json {
    const batch = this.#find(id);
    if (!/PENDING|RUNNING/.test(batch.state)) {
      throw new GoogleRefusal(400, 'FAILED_PRECONDITION', 'The batch has ended.');
    }
    batch.isCancelled = true;
    return {};
  }

  list(query: URLSearchParams): Json {
    const newest = this.made.toReversed();
    const from = Number(query.get('pageToken') ?? 0);
    const to = from + Number(query.get('pageSize') ?? PAGE);
    const page = newest.slice(from, to).map(describe);
    const list = page.length > 0 ? { operations: page } : {};
    return newest.length > to ? { ...list, nextPageToken: String(to) } : list;
  }

  #find(id: string): FakeGoogleBatch {
    const batch = this.made.find((one) => one.id === id);
    if (batch) return batch;
    throw new GoogleRefusal(404, 'NOT_FOUND', `Batch ${id} not found.`);
  }

  async #run(batch: FakeGoogleBatch, behaviour: BatchBehaviour, carryOut: CarryOut): Promise<void> {
    await behaviour.wait?.();
    batch.state = 'RUNNING';
    const results: Json[] = [];
    const most = behaviour.expiresAfter ?? batch.lines.length;
    for (const [index, { customId: key, body }] of batch.lines.slice(0, most).entries()) {
      if (batch.isCancelled) break;
      const path = `/v1beta/models/${batch.model}:${batch.method}`;
      const { status, body: answer } = await carryOut(path, body);
      if (status === 200) batch.answered++;
      if (index < (behaviour.silentAbout ?? 0)) continue;
      const error = { code: CODES[status] ?? INTERNAL, message: 'The request failed.' };
      const response =
        batch.method === 'embedContent' && isObject(answer)
          ? { ...answer, tokenCount: countTokens(body) }
          : answer;
      results.push(status === 200 ? { key, response } : { key, error });
    }
    if (batch.isCancelled) batch.state = 'CANCELLED';
    else if (most < batch.lines.length) batch.state = 'EXPIRED';
    else {
      batch.responsesFile = `files/${this.#nameNext('batch')}`;
      const text = results.map((result) => `${JSON.stringify(result)}\n`).join('');
      if (!behaviour.losesFiles) this.#files.set(batch.responsesFile, text);
      batch.state = 'SUCCEEDED';
    }
  }

  #nameNext(kind: string): string {
    this.#count++;
    return `${kind}-fake${String(this.#count).padStart(6, '0')}`;
  }
}

/** Embeddings say in batches how long their texts are. */
function countTokens(body: unknown): string {
  return String(countTextTokens(JSON.stringify(body)));
}

function describe({
  id,
  state,
  model,
  method,
  displayName,
  createdAt,
  lines,
  answered,
  responsesFile,
}: FakeGoogleBatch): Json {
  const metadata = omitUndefined({
    '@type': `${TYPES}.${method === 'embedContent' ? 'EmbedContentBatch' : 'GenerateContentBatch'}`,
    name: `batches/${id}`,
    model: `models/${model}`,
    displayName,
    state: `BATCH_STATE_${state}`,
    createTime: createdAt.toISOString(),
    // Counts that are zero are left out.
    batchStats: omitUndefined({
      requestCount: String(lines.length),
      successfulRequestCount: answered > 0 ? String(answered) : undefined,
    }),
    output: responsesFile === undefined ? undefined : { responsesFile },
  });
  return omitUndefined({
    name: metadata.name,
    metadata,
    done: /PENDING|RUNNING/.test(state) ? undefined : true,
  });
}
