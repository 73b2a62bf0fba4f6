import type { Json } from '../json.js';
import type { BatchBehaviour, CarryOut } from './fake-batches.js';
import { MessageRefusal, readMessageOrder } from './read-message-order.js';
import type { RequestLine } from './read-orders.js';

/** A message batch as the upstream keeps it. */
export interface FakeMessageBatch {
  readonly id: string;
  status: 'in_progress' | 'canceling' | 'ended';
  readonly createdAt: Date;
  cancelledAt: Date | undefined;
  readonly lines: readonly RequestLine[];
  /** Headers of the request that made it. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** In the order in which they are read; `undefined` where they are gone. */
  results: readonly Json[] | undefined;
}

/** The upstream's message batches. */
export interface FakeMessageBatches {
  /** Every batch since the start or the last reset, oldest first. */
  readonly made: readonly FakeMessageBatch[];
  /** Sets what the next batches do, one after another; those after them answer everything. */
  behave(...behaviours: readonly BatchBehaviour[]): void;
}

const NEVER: BatchBehaviour = {};
const PAGE = 20;
const MOST_IN_A_PAGE = 1_000;
const DAY_MS = 86_400_000;
const KINDS = ['succeeded', 'errored', 'canceled', 'expired'] as const;

/**
 * Anthropic's message batches, in memory: requests are carried out one after another once a batch is made. What Anthropic
 * refuses is refused.
 *
 * @see https://platform.claude.com/docs/en/api/messages/batches
 */
export class MessageBatchStore implements FakeMessageBatches {
  readonly made: FakeMessageBatch[] = [];
  #behaviours: BatchBehaviour[] = [];
  #count = 0;

  behave(...behaviours: readonly BatchBehaviour[]): void {
    this.#behaviours = [...behaviours];
  }

  reset(): void {
    this.made.length = 0;
    this.#behaviours = [];
  }

  /** @returns the batch; `undefined` where the request is not to be answered. @throws MessageRefusal */
  create(
    { bytes, body, headers }: { bytes: Buffer; body: unknown; headers: Readonly<Record<string, unknown>> },
    carryOut: CarryOut,
  ): Json | undefined {
    const behaviour = this.#behaviours.shift() ?? NEVER;
    if (typeof behaviour.create === 'number') {
      throw new MessageRefusal(behaviour.create, 'rate_limit_error', 'Too many batch requests are queued.');
    }
    if (behaviour.create === 'broken') return undefined;
    const batch: FakeMessageBatch = {
      id: `msgbatch_fake${String(++this.#count).padStart(6, '0')}`,
      status: 'in_progress',
      createdAt: new Date(),
      cancelledAt: undefined,
      lines: readMessageOrder(bytes, body),
      headers,
      results: undefined,
    };
    this.made.push(batch);
    void this.#run(batch, behaviour, carryOut);
    return behaviour.create === 'unanswered' ? undefined : describe(batch);
  }

  /** @throws MessageRefusal */
  retrieve(id: string): Json {
    return describe(this.#find(id));
  }

  /** @throws MessageRefusal */
  cancel(id: string): Json {
    const batch = this.#find(id);
    if (batch.status === 'ended') {
      throw new MessageRefusal(409, 'invalid_request_error', `Batch ${id} cannot be canceled: it has ended.`);
    }
    batch.cancelledAt ??= new Date();
    batch.status = 'canceling';
    return describe(batch);
  }

  /** A JSON object on each line. @throws MessageRefusal */
  readResults(id: string): string {
    const { status, results } = this.#find(id);
    if (status !== 'ended') {
      throw new MessageRefusal(400, 'invalid_request_error', `Batch ${id} has no available results.`);
    }
    if (!results) throw new MessageRefusal(404, 'not_found_error', 'Results are not available.');
    return results.map((result) => `${JSON.stringify(result)}\n`).join('');
  }

  list(query: URLSearchParams): Json {
    const newest = this.made.toReversed();
    const after = newest.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const limit = Math.min(Number(query.get('limit') ?? PAGE), MOST_IN_A_PAGE);
    const page = newest.slice(after, after + limit);
    return {
      data: page.map(describe),
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: newest.length > after + limit,
    };
  }

  #find(id: string): FakeMessageBatch {
    const batch = this.made.find((one) => one.id === id);
    if (batch) return batch;
    throw new MessageRefusal(404, 'not_found_error', `Batch ${id} not found`);
  }

  async #run(batch: FakeMessageBatch, behaviour: BatchBehaviour, carryOut: CarryOut): Promise<void> {
    await behaviour.wait?.();
    const results: Json[] = [];
    for (const [index, { customId, body }] of batch.lines.entries()) {
      const isDone = !batch.cancelledAt && index < (behaviour.expiresAfter ?? batch.lines.length);
      const answered = isDone ? await carryOut('/v1/messages', body) : undefined;
      if (index < (behaviour.silentAbout ?? 0)) continue;
      const why = batch.cancelledAt ? 'canceled' : 'expired';
      results.push({ custom_id: customId, result: answered ? describeAnswer(answered) : { type: why } });
    }
    for (const id of behaviour.alsoAnswers ?? []) {
      results.push({ custom_id: id, result: { type: 'succeeded', message: {} } });
    }
    // They may be in any order.
    batch.results = behaviour.losesFiles ? undefined : results.toReversed();
    batch.status = 'ended';
  }
}

function describeAnswer({ status, body }: Awaited<ReturnType<CarryOut>>): Json {
  return status === 200 ? { type: 'succeeded', message: body } : { type: 'errored', error: body };
}

function describe({ id, status, createdAt, cancelledAt, lines, results }: FakeMessageBatch): Json {
  const isOver = status === 'ended';
  const counts = KINDS.map((kind) => {
    const ofKind = (results ?? []).filter(({ result }) => (result as Json)['type'] === kind);
    return [kind, isOver ? ofKind.length : 0] as const;
  });
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: isOver ? 0 : lines.length, ...Object.fromEntries(counts) },
    created_at: createdAt.toISOString(),
    expires_at: new Date(createdAt.getTime() + DAY_MS).toISOString(),
    ended_at: isOver ? new Date().toISOString() : null,
    cancel_initiated_at: cancelledAt?.toISOString() ?? null,
    archived_at: null,
    // As a proxy would pass it on.
    results_url: isOver ? `https://results.invalid/v1/messages/batches/${id}/results` : null,
  };
}
