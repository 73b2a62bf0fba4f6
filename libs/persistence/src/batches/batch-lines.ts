import type { EntityManager } from 'typeorm';
import { openInSteps, sealInSteps, type SealingSteps } from '../secrets/seal-in-steps.js';

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
/** Lines that are encrypted or decrypted in one step, which takes some microseconds for each however short it is. */
export const LINES_IN_A_STEP = 50;

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

/** Encrypts a text of a line for its row: copied to another it does not open. */
export function sealLine(text: readonly Buffer[], place: LinePlace, steps: SealingSteps): Promise<string> {
  return sealInSteps(text, nameRow(place), steps);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openLine(sealed: string, place: LinePlace, steps: SealingSteps): Promise<Buffer> {
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
  const sealed: string[] = [];
  for (const [at, text] of texts.entries()) {
    if (at > 0 && at % LINES_IN_A_STEP === 0) await steps.pause();
    sealed.push(await sealLine(text, { batchId, line: first + at }, steps));
  }
  await manager.query(
    `insert into batch_line (batch_id, line, sealed)
     select $1, $2 + place - 1, sealed from unnest($3::text[]) with ordinality as given (sealed, place)`,
    [batchId, first, sealed],
  );
}
