import { setImmediate } from 'node:timers/promises';
import { type Batch, type BatchFault, type LineRequest, SecretError } from '@mg/persistence/video';
import { MAX_LINE_BYTES, nameTag, readLine } from '@mg/protocols';
import type { BatchContext } from './batch-context.js';
import { splitLines } from './split-lines.js';

const MAX_LINES = 50_000;
/** Faults of a file that its caller is told of. */
const MAX_FAULTS = 50;
/** Lines that are read in a row, and then encrypted and written together: five milliseconds. */
const LINES_AT_ONCE = 100;
const BYTES_AT_ONCE = 512 * 1024;

/** Reads the file of a batch: either all of its lines are sent, or none is and the batch says what is wrong. */
export async function validateBatch(batch: Batch, { work, files }: BatchContext): Promise<void> {
  const file = await files.find(batch.walletId, String(batch.details.input_file_id));
  if (!file) return work.fail(batch.id, [explain('invalid_file', 'The input file is not there any more.')]);
  await work.clearLines(batch.id);
  const reading = new Reading(batch);
  try {
    for await (const { number, text } of splitLines(files.read(batch.walletId, file), MAX_LINE_BYTES)) {
      await reading.take(number, text);
      if (reading.isFull) break;
      if (reading.isDue) await work.addLines(batch.id, ...reading.giveLines());
    }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    return work.fail(batch.id, [explain('invalid_file', 'The input file cannot be decrypted any more.')]);
  }
  if (reading.lines === 0 && reading.faults.length === 0) {
    return work.fail(batch.id, [explain('empty_file', 'The input file holds no request.')]);
  }
  if (reading.faults.length > 0) return work.fail(batch.id, reading.faults);
  await work.addLines(batch.id, ...reading.giveLines());
  await work.begin(batch.id, reading.lines);
}

/** A file as far as it was read. */
class Reading {
  readonly faults: BatchFault[] = [];
  lines = 0;
  readonly #tags = new Set<string>();
  readonly #batch: Batch;
  #waiting: LineRequest[] = [];
  #waitingBytes = 0;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  /** Whether there is nothing to be told of the rest. */
  get isFull(): boolean {
    return this.faults.length >= MAX_FAULTS || this.lines > MAX_LINES;
  }

  /** Whether lines are to be written. */
  get isDue(): boolean {
    return this.#waiting.length >= LINES_AT_ONCE || this.#waitingBytes >= BYTES_AT_ONCE;
  }

  async take(number: number, text: Buffer | undefined): Promise<void> {
    if (text === undefined) {
      this.#refuse(number, 'line_too_long', `A line may hold at most ${MAX_LINE_BYTES} bytes.`, null);
      return;
    }
    const read = await readLine(text, this.#batch, setImmediate);
    if ('fault' in read) return this.#refuse(number, read.fault.code, read.fault.message, read.fault.param);
    if (this.#tags.has(read.tag)) {
      const name = nameTag(this.#batch);
      const message = `The ${name} of this line is that of another line too.`;
      return this.#refuse(number, `duplicate_${name}`, message, name);
    }
    this.#tags.add(read.tag);
    this.lines++;
    if (this.lines > MAX_LINES) {
      this.faults.push(explain('too_many_requests', `A batch may hold at most ${MAX_LINES} requests.`));
    }
    this.#waiting.push(read);
    this.#waitingBytes += read.body.length;
  }

  /** The number of the first line that is to be written, and what those lines ask for. */
  giveLines(): [first: number, requests: readonly LineRequest[]] {
    const requests = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return [this.lines - requests.length + 1, requests];
  }

  #refuse(line: number, code: string, message: string, param: string | null): void {
    this.faults.push({ code, message, line, param });
  }
}

function explain(code: string, message: string): BatchFault {
  return { code, message, line: null, param: null };
}
