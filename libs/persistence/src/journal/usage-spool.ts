import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HoldOwner, JournalRow } from '@mg/contract';
import { nameSegment, writeLine } from './segment-file.js';

/** A segment that is this long, or this old, takes no further rows, so that it can go once Postgres has those it holds. */
const SEGMENT_BYTES = 1024 * 1024;
const SEGMENT_AGE_MS = 10_000;
const REFUSED_FILE = 'refused.jsonl';

export interface UsageSpoolOptions {
  readonly directory: string;
  readonly owner: HoldOwner;
  /** Called once when rows cannot be kept, until they can again. */
  readonly onFailure: (error: Error) => void;
}

/** A file of rows that Postgres does not have yet. */
interface Segment {
  readonly path: string;
  readonly file: number;
  readonly openedMs: number;
  bytes: number;
  /** Rows that wait. */
  rows: number;
}

/** What waits in a spool. */
export interface SpoolLevel {
  readonly rows: number;
  readonly bytes: number;
  /** Age of what waits longest, in seconds; 0 when nothing waits. */
  readonly oldestSeconds: number;
}

/**
 * Usage of answers that go out before Postgres has it. A row is in the file when `append` returns, written by one system call
 * and not synced to the disk: it outlives the process, however that ends, but not the machine. A segment is deleted once
 * Postgres has all of its rows, so a process that is idle has none.
 */
export class UsageSpool {
  readonly #options: UsageSpoolOptions;
  readonly #segments = new Set<Segment>();
  readonly #segmentOf = new Map<JournalRow, Segment>();
  #current: Segment | undefined;
  #numbers = 0;
  #failures = 0;
  #isFailing = false;

  constructor(options: UsageSpoolOptions) {
    this.#options = options;
  }

  /** Rows that could not be kept, since the start. */
  get failures(): number {
    return this.#failures;
  }

  get level(): SpoolLevel {
    const [oldest] = this.#segments;
    let bytes = 0;
    for (const segment of this.#segments) bytes += segment.bytes;
    const oldestSeconds = oldest ? (performance.now() - oldest.openedMs) / 1_000 : 0;
    return { rows: this.#segmentOf.size, bytes, oldestSeconds };
  }

  /** Whether the row is kept here: a process that ends now loses nothing of it. */
  has(row: JournalRow): boolean {
    return this.#segmentOf.has(row);
  }

  /** Keeps a row until it is dropped. Never throws. @returns whether it is kept; not on a disk that is full or cannot be written. */
  append(row: JournalRow): boolean {
    try {
      const segment = this.#openSegment();
      this.#write(segment, writeLine(row));
      segment.rows++;
      this.#segmentOf.set(row, segment);
      this.#isFailing = false;
      return true;
    } catch (error) {
      this.#failures++;
      if (!this.#isFailing) this.#options.onFailure(error as Error);
      this.#isFailing = true;
      return false;
    }
  }

  /** Postgres has these rows, or refuses them. */
  drop(rows: readonly JournalRow[]): void {
    for (const row of rows) {
      const segment = this.#segmentOf.get(row);
      if (!segment) continue;
      this.#segmentOf.delete(row);
      segment.rows--;
      if (segment.rows === 0) this.#remove(segment);
    }
  }

  /** Shows other processes of this directory that the rows that wait here are those of a living one. */
  touch(): void {
    const now = new Date();
    for (const { file } of this.#segments) futimesSync(file, now, now);
  }

  #openSegment(): Segment {
    const { directory, owner } = this.#options;
    const current = this.#current;
    const ageMs = performance.now() - (current?.openedMs ?? 0);
    if (current && current.bytes < SEGMENT_BYTES && ageMs < SEGMENT_AGE_MS) return current;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, nameSegment(owner, this.#numbers++));
    const opened: Segment = {
      path,
      file: openSync(path, 'ax', 0o600),
      openedMs: performance.now(),
      bytes: 0,
      rows: 0,
    };
    this.#current = opened;
    this.#segments.add(opened);
    return opened;
  }

  /** @throws Error when not all of the line was taken; what was is cut off again, and the segment takes no further rows. */
  #write(segment: Segment, line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (writeSync(segment.file, bytes) < bytes.length) throw new Error('The disk took a part of a row.');
      segment.bytes += bytes.length;
    } catch (error) {
      this.#current = undefined;
      if (segment.rows === 0) this.#remove(segment);
      else if (fstatSync(segment.file).size > segment.bytes) ftruncateSync(segment.file, segment.bytes);
      throw error;
    }
  }

  /** A file that cannot be deleted is replayed by the next epoch of this process, which changes nothing. */
  #remove(segment: Segment): void {
    if (segment === this.#current) this.#current = undefined;
    this.#segments.delete(segment);
    try {
      closeSync(segment.file);
      rmSync(segment.path, { force: true });
    } catch (error) {
      this.#options.onFailure(error as Error);
    }
  }
}

/** Keeps lines that Postgres does not take in a file beside the segments, for an operator. */
export async function setAside(directory: string, lines: readonly string[]): Promise<void> {
  const text = lines.map((line) => `${line.trimEnd()}\n`).join('');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await appendFile(join(directory, REFUSED_FILE), text, { mode: 0o600 });
}
