import { openInSteps, type SealingSteps, sealToBytes } from '../secrets/seal-in-steps.js';

interface Place {
  readonly walletId: string;
  readonly id: string;
}

/** Encrypts a stored response for its row, as the bytes of a text, for `convert_from`: copied to another it does not open. */
export function sealResponse(text: Buffer, place: Place, steps: SealingSteps): Promise<Buffer> {
  return sealToBytes([text], nameRow(place), steps);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openResponse(sealed: string | Buffer, place: Place, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

function nameRow({ walletId, id }: Place): string {
  return `response ${walletId} ${id}`;
}
