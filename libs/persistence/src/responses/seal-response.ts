import { openInSteps, sealInSteps, type SealingSteps } from '../secrets/seal-in-steps.js';

interface Place {
  readonly walletId: string;
  readonly id: string;
}

/** Encrypts a stored response for its row: copied to another it does not open. */
export function sealResponse(text: Buffer, place: Place, steps: SealingSteps): Promise<string> {
  return sealInSteps([text], nameRow(place), steps);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openResponse(sealed: string, place: Place, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameRow(place), steps);
}

function nameRow({ walletId, id }: Place): string {
  return `response ${walletId} ${id}`;
}
