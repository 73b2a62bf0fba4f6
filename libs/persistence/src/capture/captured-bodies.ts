import { toStorableJson } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { openSecret, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** A body of a call, redacted, cut to a size and sealed. */
export interface CapturedBody {
  readonly requestId: string;
  readonly part: 'request' | 'response';
  readonly tokenId: string;
  readonly expiresAt: Date;
  readonly contentType: string;
  /** Of the whole body. */
  readonly bytes: number;
  /** Whether the sealed text is less than the body. */
  readonly truncated: boolean;
  readonly sealed: string;
}

type Place = Pick<CapturedBody, 'requestId' | 'part'>;

/** Seals a body for its row: copied to another it does not open. */
export function sealBody(text: string, place: Place, key: SecretKey): string {
  return sealSecret(text, toPlace(place), key);
}

/** @throws SecretError when it was sealed with another ENCRYPTION_KEY, or for another row. */
export function openBody(sealed: string, place: Place, key: SecretKey): string {
  return openSecret(sealed, toPlace(place), key);
}

function toPlace({ requestId, part }: Place): string {
  return `captured_body/${requestId}/${part}`;
}

/** Adds bodies in one round trip. */
export async function writeCapturedBodies(
  database: DataSource,
  rows: readonly CapturedBody[],
): Promise<void> {
  await database.query(
    `insert into captured_body (request_id, part, token_id, expires_at, content_type, bytes, truncated, sealed)
     select request_id, part, token_id, expires_at, content_type, bytes, truncated, sealed
       from jsonb_to_recordset($1::jsonb)
         as r(request_id uuid, part text, token_id uuid, expires_at timestamptz, content_type text, bytes bigint,
              truncated boolean, sealed text)
     on conflict do nothing`,
    [
      toStorableJson(
        rows.map((row) => ({
          request_id: row.requestId,
          part: row.part,
          token_id: row.tokenId,
          expires_at: row.expiresAt,
          content_type: row.contentType,
          bytes: row.bytes,
          truncated: row.truncated,
          sealed: row.sealed,
        })),
      ),
    ],
  );
}
