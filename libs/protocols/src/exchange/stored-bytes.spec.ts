import { expect, it, vi } from 'vitest';
import { encodeBase64, gatherBytes } from './stored-bytes.js';

it('C1: base64 that is made of bytes in memory is gathered in as many steps as it is made in', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'picture ');
  const source = {
    length: 40 * chunk.length,
    async *read() {
      for (let count = 0; count < 40; count++) yield chunk;
    },
  };
  const pause = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const base64 = await gatherBytes(encodeBase64(source), pause);
  expect(base64.toString()).toBe(Buffer.alloc(source.length, 'picture ').toString('base64'));
  expect(pause.mock.calls.length).toBeGreaterThanOrEqual(40);
});
