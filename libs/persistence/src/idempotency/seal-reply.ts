import { openInSteps, type SealingSteps, sealToBytes } from '../secrets/seal-in-steps.js';
import { openSecretBytes, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** Where an answer to a call with an Idempotency-Key stands. */
export interface ReplyPlace {
  readonly tokenId: string;
  readonly key: string;
}

/** Where a part of a long one stands. */
export interface ReplyPartPlace extends ReplyPlace {
  readonly part: number;
}

/** Encrypts an answer for its row, as the bytes of a text: copied to another it does not open. */
export function sealReply(body: Buffer, place: ReplyPlace, steps: SealingSteps): Promise<Buffer> {
  return sealToBytes([body], nameRow(place), steps);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openReply(sealed: string | Buffer, place: ReplyPlace, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

function nameRow({ tokenId, key }: ReplyPlace): string {
  return `idempotent reply ${tokenId} ${key}`;
}

/** Encrypts a part of an answer for its row, at once. */
export function sealReplyPart(content: Buffer, place: ReplyPartPlace, key: SecretKey): string {
  return sealSecret(content, namePart(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openReplyPart(sealed: string, place: ReplyPartPlace, key: SecretKey): Buffer {
  return openSecretBytes(sealed, namePart(place), key);
}

/** Callers choose the key, so that it stands at the end. */
function namePart({ tokenId, key, part }: ReplyPartPlace): string {
  return `idempotent reply part ${part} ${tokenId} ${key}`;
}
