import { type Channel, sha256 } from '@mg/contract';

/**
 * The key that made a job. One that is gone was rotated: its successor belongs to the same account.
 *
 * @param madeBy SHA-256 of the key.
 */
export function pinKey({ apiKeys }: Channel, madeBy: string | undefined): string | undefined {
  return apiKeys.find((key) => sha256(key) === madeBy) ?? apiKeys[0];
}
