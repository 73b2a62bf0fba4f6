import type { EntityManager } from 'typeorm';
import { readParts, SHORT_BYTES } from '../secrets/long-texts.js';
import {
  openInSteps,
  sealInSteps,
  SealingPace,
  type SealingSteps,
  sealToBytes,
} from '../secrets/seal-in-steps.js';

/** What a line asks for. */
export interface LineRequest {
  /** By which its caller knows it again: `custom_id`, or the metadata of Google's API, which may be left out. */
  readonly tag: unknown;
  /** The body, as JSON. It may have megabytes, and no text is made of it. */
  readonly body: Buffer;
}

export interface LinePlace {
  readonly batchId: string;
  readonly line: number;
}

const NEWLINE = '\n';

/** The text of a request: what it is known by and its body, as JSON, with a line break between them. */
export function writeRequest({ tag, body }: LineRequest): readonly Buffer[] {
  return [Buffer.from(JSON.stringify(tag ?? null) + NEWLINE), body];
}

/** Reads what {@link writeRequest} wrote. The body is not looked at. */
export function readRequest(text: Buffer): LineRequest {
  const end = text.indexOf(NEWLINE);
  const tag: unknown = JSON.parse(text.toString('utf8', 0, end));
  return { tag: tag ?? undefined, body: text.subarray(end + 1) };
}

/** Encrypts a text of a line for its row, as the bytes of a text, for `convert_from`: copied to another row it does not open. */
export function sealLineToBytes(
  text: readonly Buffer[],
  place: LinePlace,
  steps: SealingSteps,
): Promise<Buffer> {
  return sealToBytes(text, nameRow(place), steps);
}

/** The text of a line that is too long to be read with others, if the line is still in this state. */
export async function readLong(
  manager: Pick<EntityManager, 'transaction'>,
  { batchId, line }: LinePlace,
  { column, state }: { readonly column: 'sealed' | 'upstream_sealed'; readonly state: string },
): Promise<Buffer | undefined> {
  const texts = await readParts(
    manager,
    `select batch_id as name, ${column} as sealed from batch_line where batch_id = $1 and line = $2 and state = $3`,
    [batchId, line, state],
  );
  return texts.get(batchId);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openLine(sealed: string | Buffer, place: LinePlace, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

/** What is sent to a provider for a line does not open in the place of another one, nor in that of the line itself. */
export function nameUpstream({ batchId, line }: LinePlace): LinePlace {
  return { batchId: `${batchId} upstream`, line };
}

function nameRow({ batchId, line }: LinePlace): string {
  return `batch ${batchId} ${line}`;
}

/**
 * Adds lines to a batch, from the number `first` on.
 *
 * @param texts as {@link writeRequest} writes them.
 */
export async function insertLines(
  manager: EntityManager,
  { batchId, first, texts }: { batchId: string; first: number; texts: readonly (readonly Buffer[])[] },
  steps: SealingSteps,
): Promise<void> {
  const lines: number[] = [];
  const sealed: string[] = [];
  const pace = new SealingPace(steps);
  for (const [at, text] of texts.entries()) {
    const bytes = text.reduce((sum, { length }) => sum + length, 0);
    await pace.next(bytes);
    const place = { batchId, line: first + at };
    if (bytes > SHORT_BYTES) {
      await manager.query(
        `insert into batch_line (batch_id, line, sealed) values ($1, $2, convert_from($3::bytea, 'UTF8'))`,
        [batchId, place.line, await sealLineToBytes(text, place, steps)],
      );
      continue;
    }
    lines.push(place.line);
    sealed.push(await sealInSteps(text, nameRow(place), steps));
  }
  if (lines.length === 0) return;
  await manager.query(
    `insert into batch_line (batch_id, line, sealed) select $1, line, sealed from unnest($2::int[], $3::text[]) as given (line, sealed)`,
    [batchId, lines, sealed],
  );
}
