import type { Json } from '../json.js';
import { readBatchOrder, readFileOrder, readRequests, type RequestLine, Refused } from './read-orders.js';

/** What the next batch does, where a test wants something else than that all of its requests are answered. */
export interface BatchBehaviour {
  /** Waited for before its first request is carried out. */
  readonly wait?: () => Promise<void>;
  /** The request that creates it is not answered, although it is made, or without being made; or it is refused with a status. */
  readonly create?: 'unanswered' | 'broken' | number;
  /** It expires after so many requests. */
  readonly expiresAfter?: number;
  /** Its files say nothing of this many requests, from the first one on. */
  readonly silentAbout?: number;
  /** Its results are gone. */
  readonly losesFiles?: boolean;
  /** Ids of results that nobody has asked for. */
  readonly alsoAnswers?: readonly string[];
}

/** A batch as the upstream keeps it. */
export interface FakeBatch {
  readonly id: string;
  status: string;
  readonly endpoint: string;
  readonly metadata: Json;
  readonly inputFileId: string;
  readonly createdAt: number;
  outputFileId: string | null;
  errorFileId: string | null;
  errors: readonly Json[] | null;
  readonly lines: RequestLine[];
  isCancelled: boolean;
}

/** The upstream's batches. */
export interface FakeBatches {
  /** Every batch since the start or the last reset, oldest first. */
  readonly made: readonly FakeBatch[];
  /** Sets what the next batches do, one after another; those after them answer everything. */
  behave(...behaviours: readonly BatchBehaviour[]): void;
}

/** What answers one request of a batch, as if it had come by itself. */
export type CarryOut = (
  url: string,
  body: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const NEVER: BatchBehaviour = {};
const PAGE = 20;
const MOST_IN_A_PAGE = 100;

/**
 * OpenAI's files and batches, in memory: requests are carried out one after another once a batch is made. What OpenAI refuses is
 * refused.
 *
 * @see https://platform.openai.com/docs/api-reference/batch
 */
export class BatchStore implements FakeBatches {
  readonly made: FakeBatch[] = [];
  readonly #files = new Map<string, { readonly name: string; readonly text: string }>();
  #behaviours: BatchBehaviour[] = [];
  #count = 0;

  behave(...behaviours: readonly BatchBehaviour[]): void {
    this.#behaviours = [...behaviours];
  }

  reset(): void {
    this.made.length = 0;
    this.#behaviours = [];
  }

  /** @throws Refused */
  upload(form: ReadonlyMap<string, readonly (string | File)[]>, text: string): Json {
    const { name, bytes, expiresAfter } = readFileOrder(form);
    const id = this.#nameNext('file');
    this.#files.set(id, { name, text });
    const createdAt = Math.floor(Date.now() / 1_000);
    const expiry = expiresAfter === undefined ? {} : { expires_at: createdAt + expiresAfter };
    const facts = { bytes, created_at: createdAt, filename: name, purpose: 'batch', status: 'processed' };
    return { id, object: 'file', ...facts, ...expiry };
  }

  /** @throws Refused */
  read(id: string): string {
    const file = this.#files.get(id);
    if (file) return file.text;
    throw new Refused(404, `No such File object: ${id}`, 'id');
  }

  /** @returns the batch; `undefined` where the request is not to be answered. @throws Refused */
  create(body: unknown, carryOut: CarryOut): Json | undefined {
    const behaviour = this.#behaviours.shift() ?? NEVER;
    if (typeof behaviour.create === 'number') {
      throw new Refused(behaviour.create, 'Enqueued token limit reached for this model.', null);
    }
    if (behaviour.create === 'broken') return undefined;
    const order = readBatchOrder(body);
    this.read(order.inputFileId);
    const batch: FakeBatch = {
      id: this.#nameNext('batch'),
      status: 'validating',
      ...order,
      createdAt: Math.floor(Date.now() / 1_000),
      outputFileId: null,
      errorFileId: null,
      errors: null,
      lines: [],
      isCancelled: false,
    };
    this.made.push(batch);
    void this.#run(batch, behaviour, carryOut);
    return behaviour.create === 'unanswered' ? undefined : describe(batch);
  }

  /** @throws Refused */
  retrieve(id: string): Json {
    return describe(this.#find(id));
  }

  /** @throws Refused */
  cancel(id: string): Json {
    const batch = this.#find(id);
    if (!/validating|in_progress/.test(batch.status)) {
      throw new Refused(409, `Cannot cancel a batch with status '${batch.status}'.`, null);
    }
    batch.isCancelled = true;
    batch.status = 'cancelling';
    return describe(batch);
  }

  list(query: URLSearchParams): Json {
    const newest = this.made.toReversed();
    const after = newest.findIndex(({ id }) => id === query.get('after')) + 1;
    const limit = Math.min(Number(query.get('limit') ?? PAGE), MOST_IN_A_PAGE);
    const page = newest.slice(after, after + limit);
    const edges = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null };
    return {
      object: 'list',
      data: page.map(describe),
      ...edges,
      has_more: newest.length > after + limit,
    };
  }

  #find(id: string): FakeBatch {
    const batch = this.made.find((one) => one.id === id);
    if (batch) return batch;
    throw new Refused(404, `No batch found with id '${id}'.`, null);
  }

  async #run(batch: FakeBatch, behaviour: BatchBehaviour, carryOut: CarryOut): Promise<void> {
    const { lines, errors } = readRequests(this.read(batch.inputFileId), batch.endpoint);
    if (errors.length > 0) {
      batch.errors = errors;
      batch.status = 'failed';
      return;
    }
    batch.lines.push(...lines);
    if (!batch.isCancelled) batch.status = 'in_progress';
    await behaviour.wait?.();
    const results = { output: [] as Json[], errors: [] as Json[] };
    const most = behaviour.expiresAfter ?? lines.length;
    for (const [index, line] of lines.entries()) {
      const isDone = !batch.isCancelled && index < most;
      const answered = isDone ? await carryOut(batch.endpoint, line.body) : undefined;
      if (index < (behaviour.silentAbout ?? 0)) continue;
      this.#note(line.customId, answered, batch, results);
    }
    for (const id of behaviour.alsoAnswers ?? []) this.#note(id, { status: 200, body: {} }, batch, results);
    batch.outputFileId = this.#write(results.output, behaviour);
    batch.errorFileId = this.#write(results.errors, behaviour);
    batch.status = batch.isCancelled ? 'cancelled' : most < lines.length ? 'expired' : 'completed';
  }

  #note(
    customId: string,
    answered: { readonly status: number; readonly body: unknown } | undefined,
    batch: FakeBatch,
    { output, errors }: { readonly output: Json[]; readonly errors: Json[] },
  ): void {
    const head = { id: this.#nameNext('batch_req'), custom_id: customId };
    if (!answered) {
      const code = batch.isCancelled ? 'batch_cancelled' : 'batch_expired';
      errors.push({ ...head, response: null, error: { code, message: 'This request was not executed.' } });
      return;
    }
    const response = { status_code: answered.status, request_id: this.#nameNext('req'), body: answered.body };
    (answered.status === 200 ? output : errors).push({ ...head, response, error: null });
  }

  #write(results: readonly Json[], { losesFiles }: BatchBehaviour): string | null {
    if (results.length === 0) return null;
    const id = this.#nameNext('file');
    const text = results.map((result) => `${JSON.stringify(result)}\n`).join('');
    if (!losesFiles) this.#files.set(id, { name: `${id}.jsonl`, text });
    return id;
  }

  #nameNext(kind: string): string {
    this.#count++;
    return `${kind}${kind === 'file' ? '-' : '_'}fake${String(this.#count).padStart(6, '0')}`;
  }
}

function describe(batch: FakeBatch): Json {
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: batch.errors && { object: 'list', data: batch.errors },
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: batch.status,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: batch.createdAt,
    expires_at: batch.createdAt + 86_400,
    request_counts: { total: batch.lines.length, completed: 0, failed: 0 },
    metadata: batch.metadata,
  };
}
