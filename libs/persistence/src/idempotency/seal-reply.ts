import { openInSteps, sealInPieces, type SealingSteps } from '../secrets/seal-in-steps.js';

/** Where an answer to a call with an Idempotency-Key stands. */
export interface ReplyPlace {
  readonly tokenId: string;
  readonly key: string;
}

/** Encrypts an answer for its row: copied to another it does not open. @returns the pieces of a text. */
export async function sealReply(
  body: Buffer,
  place: ReplyPlace,
  steps: SealingSteps,
): Promise<readonly Buffer[]> {
  const texts = await sealInPieces([body], nameRow(place), steps);
  return texts.map((text) => Buffer.from(text, 'latin1'));
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openReply(sealed: string | Buffer, place: ReplyPlace, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

function nameRow({ tokenId, key }: ReplyPlace): string {
  return `idempotent reply ${tokenId} ${key}`;
}
