import type { EntityManager } from 'typeorm';
import { openSecret, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** What a line asks for. */
export interface LineRequest {
  /** By which its caller knows it again: `custom_id`, or the metadata of Google's API. */
  readonly tag: unknown;
  /** The body, as JSON. */
  readonly body: string;
}

export interface LinePlace {
  readonly batchId: string;
  readonly line: number;
}

/** Encrypts a text of a line for its row: copied to another it does not open. */
export function sealLine(text: string, place: LinePlace, key: SecretKey): string {
  return sealSecret(text, nameRow(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openLine(sealed: string, place: LinePlace, key: SecretKey): string {
  return openSecret(sealed, nameRow(place), key);
}

function nameRow({ batchId, line }: LinePlace): string {
  return `batch ${batchId} ${line}`;
}

/** Adds lines to a batch, from the number `first` on. */
export async function insertLines(
  manager: EntityManager,
  { batchId, first, requests }: { batchId: string; first: number; requests: readonly LineRequest[] },
  key: SecretKey,
): Promise<void> {
  const sealed = requests.map((request, at) =>
    sealLine(JSON.stringify(request), { batchId, line: first + at }, key),
  );
  await manager.query(
    `insert into batch_line (batch_id, line, sealed)
     select $1, $2 + place - 1, sealed from unnest($3::text[]) with ordinality as given (sealed, place)`,
    [batchId, first, sealed],
  );
}
