import { openInSteps, sealInSteps, type SealingSteps } from '../secrets/seal-in-steps.js';

/** Where an answer to a call with an Idempotency-Key stands. */
export interface ReplyPlace {
  readonly tokenId: string;
  readonly key: string;
}

/** Encrypts an answer for its row: copied to another it does not open. */
export function sealReply(body: Buffer, place: ReplyPlace, steps: SealingSteps): Promise<string> {
  return sealInSteps([body], nameRow(place), steps);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openReply(sealed: string, place: ReplyPlace, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

function nameRow({ tokenId, key }: ReplyPlace): string {
  return `idempotent reply ${tokenId} ${key}`;
}
