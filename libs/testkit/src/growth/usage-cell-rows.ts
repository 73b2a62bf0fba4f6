import type { Payer } from '../money/seed-payer.js';
import { NULL } from './copy-rows.js';
import {
  type CallSource,
  DAY_MS,
  LONGEST_MS,
  MODELS_OF_PAYER,
  nameChannel,
  nameModel,
} from './make-calls.js';

const HOUR_MS = 3_600_000;
const INPUT_TOKENS = 100;
const OUTPUT_TOKENS = 10;

export const CELL_COLUMNS =
  'grain, at, user_id, token_id, model, channel, calls, errors, client_errors, input_tokens, output_tokens, cost, latency_class, latency_calls, ttft_class, ttft_calls';

/** Sums of the calls of one payer to one model. */
interface Cell {
  calls: number;
  /** All of them of 4xx: the log has 429 for calls that failed. */
  errors: number;
  cost: bigint;
  readonly latency: Map<number, number>;
  readonly ttft: Map<number, number>;
}

/** What `usage_fold` makes of the calls of each hour and each day. */
export class UsageCellRows {
  /** @param classes of call times, by milliseconds, as `usage_class` answers them. */
  constructor(
    private readonly source: CallSource,
    private readonly payers: readonly Payer[],
    private readonly classes: readonly number[],
  ) {
    if (classes.length < LONGEST_MS) throw new Error('classes of some times are missing');
  }

  *rows(): Iterable<string> {
    const { fromMs, untilMs } = this.source;
    for (let dayMs = fromMs; dayMs < untilMs; dayMs += DAY_MS) {
      for (let hourMs = dayMs; hourMs < dayMs + DAY_MS; hourMs += HOUR_MS) {
        yield* this.#write('hour', hourMs, HOUR_MS);
      }
      yield* this.#write('day', dayMs, DAY_MS);
    }
  }

  *#write(grain: string, atMs: number, lengthMs: number): Iterable<string> {
    const at = new Date(atMs).toISOString();
    for (const [index, cell] of this.#sum(atMs, atMs + lengthMs)) {
      const [place, turn] = [Math.floor(index / MODELS_OF_PAYER), index % MODELS_OF_PAYER];
      const { userId, tokenId } = this.payers[place] ?? { userId: NULL, tokenId: NULL };
      const { calls, errors, cost, latency, ttft } = cell;
      yield `${grain}\t${at}\t${userId}\t${tokenId}\t${nameModel(place, turn)}\t${nameChannel(place, turn)}\t${calls}\t${errors}\t${errors}\t${
        INPUT_TOKENS * calls
      }\t${OUTPUT_TOKENS * calls}\t${cost}\t${writeCounts(latency)}\t${writeCounts(ttft)}`;
    }
  }

  #sum(fromMs: number, untilMs: number): Map<number, Cell> {
    const cells = new Map<number, Cell>();
    for (const call of this.source.between(fromMs, untilMs)) {
      const index = call.place * MODELS_OF_PAYER + call.turn;
      const cell = cells.get(index) ?? { calls: 0, errors: 0, cost: 0n, latency: new Map(), ttft: new Map() };
      cells.set(index, cell);
      cell.calls += 1;
      cell.cost += call.charge;
      if (call.isFailed) cell.errors += 1;
      count(cell.latency, this.classes[call.latencyMs]);
      count(cell.ttft, this.classes[call.ttftMs]);
    }
    return cells;
  }
}

function count(counts: Map<number, number>, timeClass = 0): void {
  counts.set(timeClass, (counts.get(timeClass) ?? 0) + 1);
}

/** Classes, and how many calls fell into each, as two arrays of Postgres. */
function writeCounts(counts: ReadonlyMap<number, number>): string {
  return `{${[...counts.keys()].join(',')}}\t{${[...counts.values()].join(',')}}`;
}
