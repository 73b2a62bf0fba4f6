import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { HoldOwner, JournalRow } from '@mg/contract';
import { BatchWriter } from './batch-writer.js';
import {
  readSegment,
  readSegmentOwner,
  type SegmentContent,
  type SegmentOwner,
  spellInstance,
  writeLine,
} from './segment-file.js';
import { setAside, type SpoolLevel } from './usage-spool.js';

/** As billing sees it: who is silent for a minute is over. A process that lives touches its segments more often. */
const ABANDONED_AFTER_MS = 60_000;
const MAX_BATCH = 500;
/** Read in one step: some hundred lines. */
const STEP_CHARACTERS = 128 * 1024;
/** For how long rows of one segment are tried. */
const WRITE_WITHIN_MS = 2_000;

export interface ReplayOptions {
  readonly directory: string;
  /** The process that replays. */
  readonly owner: HoldOwner;
  /** Appends rows to the journal; rows that are there already change nothing. */
  readonly write: (rows: readonly JournalRow[]) => Promise<void>;
  /** Called for rows that Postgres refuses and for lines that are no rows; they are kept aside. */
  readonly onRefused: (error: Error, row?: JournalRow) => void;
  /** Whether this process has just started, so that earlier epochs of its instance are over, however young their segments are. */
  readonly isStart: boolean;
}

export interface Replay {
  /** Rows that Postgres has now. */
  readonly rows: number;
  /** What could not be written yet. */
  readonly left: SpoolLevel;
}

interface EndedSegment {
  readonly path: string;
  readonly ageMs: number;
  readonly bytes: number;
}

/**
 * Writes usage that processes of this directory left behind when they ended. Several processes may do it at once: rows have
 * a key. What cannot be read, or Postgres does not take now, stays for the next time.
 *
 * @throws Error when the directory is there and cannot be read: usage may wait in it.
 */
export async function replayUsage(options: ReplayOptions): Promise<Replay> {
  let rows = 0;
  const left = { rows: 0, bytes: 0, oldestSeconds: 0 };
  for (const segment of await listEndedSegments(options)) {
    // Where Postgres did not take one segment it is not asked to take the next.
    const { written, waiting } = await replaySegment(segment, options, left.rows === 0);
    rows += written;
    if (waiting === 0) continue;
    left.rows += waiting;
    left.bytes += segment.bytes;
    left.oldestSeconds = Math.max(left.oldestSeconds, segment.ageMs / 1_000);
  }
  return { rows, left };
}

async function listEndedSegments({ directory, owner, isStart }: ReplayOptions): Promise<EndedSegment[]> {
  const segments: EndedSegment[] = [];
  for (const name of await listFiles(directory)) {
    const of = readSegmentOwner(name);
    if (!of || of.epoch === owner.epoch) continue;
    const path = join(directory, name);
    const facts = await stat(path).catch(() => undefined);
    if (!facts) continue;
    const ageMs = Date.now() - facts.mtimeMs;
    const isEarlierLife = isStart && isInstance(of, owner);
    if (isEarlierLife || ageMs > ABANDONED_AFTER_MS) segments.push({ path, ageMs, bytes: facts.size });
  }
  return segments;
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const isInstance = (of: SegmentOwner, { instance }: HoldOwner) => of.instance === spellInstance(instance);

async function replaySegment(
  { path }: EndedSegment,
  options: ReplayOptions,
  mayWrite: boolean,
): Promise<{ readonly written: number; readonly waiting: number }> {
  const content = await readContent(path, options);
  if (content === 'gone') return { written: 0, waiting: 0 };
  if (content === 'unreadable') return { written: 0, waiting: 1 };
  const { rows, damaged } = content;
  if (!mayWrite) return { written: 0, waiting: rows.length };
  const { waiting, refused } = await writeRows(rows, options);
  if (waiting > 0) return { written: rows.length - waiting, waiting };
  for (const line of damaged) options.onRefused(new Error(`This line is no row: ${line.slice(0, 200)}`));
  const lines = [...damaged, ...refused.map(writeLine)];
  if (lines.length > 0) await setAside(options.directory, lines);
  await rm(path, { force: true });
  return { written: rows.length - refused.length, waiting };
}

/** Another process may have replayed it meanwhile. */
async function readContent(
  path: string,
  { onRefused }: ReplayOptions,
): Promise<SegmentContent | 'gone' | 'unreadable'> {
  try {
    return await readInSteps(await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return 'gone';
    onRefused(error as Error);
    return 'unreadable';
  }
}

/** A segment has thousands of lines. */
async function readInSteps(text: string): Promise<SegmentContent> {
  const rows: JournalRow[] = [];
  const damaged: string[] = [];
  for (let at = 0; at < text.length;) {
    // Up to the first end of a line after so many characters: none is cut.
    const end = text.indexOf('\n', at + STEP_CHARACTERS) + 1 || text.length;
    const content = readSegment(text.slice(at, end));
    rows.push(...content.rows);
    damaged.push(...content.damaged);
    at = end;
    await setImmediate();
  }
  return { rows, damaged };
}

async function writeRows(
  rows: readonly JournalRow[],
  { write, onRefused }: ReplayOptions,
): Promise<{ readonly waiting: number; readonly refused: readonly JournalRow[] }> {
  const refused: JournalRow[] = [];
  const writer = new BatchWriter<JournalRow>({
    write,
    maxBatch: MAX_BATCH,
    delayMs: 0,
    onFailure: (error, row) => {
      if (!row) return;
      refused.push(row);
      onRefused(error, row);
    },
  });
  for (const row of rows) writer.add(row);
  return { waiting: (await writer.close(WRITE_WITHIN_MS)).length, refused };
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
