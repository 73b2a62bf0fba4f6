import { describe, expect, it } from 'vitest';
import { openInSteps, sealInSteps, SealingPace } from './seal-in-steps.js';
import { deriveSecretKey, openSecretBytes, SecretError, sealSecret } from './seal-secret.js';

const OLD = 'the key before, of thirty-two letters';
const KEY = deriveSecretKey('a key of thirty-two characters...', OLD);
const ROW = 'a row';
const BYTES_A_STEP = 192 * 1024;
const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, at) => at % 251));

function steps() {
  const counted = { key: KEY, taken: 0, pause: async () => void counted.taken++ };
  return counted;
}

describe('a text that is sealed in steps', () => {
  it.each([0, 1, 2, BYTES_A_STEP - 13, BYTES_A_STEP, BYTES_A_STEP + 1, 3 * BYTES_A_STEP + 7])(
    'of %d bytes is one that is sealed at once',
    async (length) => {
      const plain = bytes(length);
      const half = Math.floor(length / 2);
      const sealed = await sealInSteps([plain.subarray(0, half), plain.subarray(half)], ROW, steps());
      expect(openSecretBytes(sealed, ROW, KEY).equals(plain)).toBe(true);
      expect((await openInSteps(sealSecret(plain, ROW, KEY), ROW, steps())).equals(plain)).toBe(true);
    },
  );

  it('lets others go on in between', async () => {
    const sealing = steps();
    const opening = steps();
    const sealed = await sealInSteps([bytes(10 * BYTES_A_STEP)], ROW, sealing);
    await openInSteps(sealed, ROW, opening);
    expect(Math.min(sealing.taken, opening.taken)).toBeGreaterThanOrEqual(18);
  });

  it('is opened by the key before as well, and for its row alone', async () => {
    const sealed = sealSecret('of old', ROW, deriveSecretKey(OLD));
    expect((await openInSteps(sealed, ROW, steps())).toString()).toBe('of old');
    await expect(openInSteps(sealed, 'another row', steps())).rejects.toThrow(SecretError);
    await expect(openInSteps(`${sealed.slice(0, -2)}AA`, ROW, steps())).rejects.toThrow(SecretError);
    await expect(openInSteps('v1.00000000.AAAA', ROW, steps())).rejects.toThrow(SecretError);
  });
});

describe('texts that are opened one after another', () => {
  it.each([
    { length: 100, count: 240 },
    { length: 30_000, count: 20 },
    { length: 250_000, count: 10 },
  ])('leave room for others: $count of $length bytes', async ({ length, count }) => {
    const counted = steps();
    const pace = new SealingPace(counted);
    for (let at = 0; at < count; at++) await pace.next(length);
    expect(counted.taken).toBeGreaterThanOrEqual(9);
    expect(counted.taken).toBeLessThanOrEqual(10);
  });
});
