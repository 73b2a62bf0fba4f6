import { expect, it } from 'vitest';
import { forSeveralAtOnce } from './lines-at-once.js';

async function* count(most: number) {
  for (let at = 1; at <= most; at++) yield at;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('works on eight at once and on each once', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  await forSeveralAtOnce(count(50), async (item) => {
    most = Math.max(most, ++running);
    await turn();
    running--;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect(most).toBe(8);
});

it('has no more bytes in progress than may be, but for one that is larger', async () => {
  let [bytes, most] = [0, 0];
  const sizes = [4, 4, 4, 30, 4, 4];
  const work = async (item: number) => {
    bytes += sizes[item - 1] ?? 0;
    most = Math.max(most, bytes > 10 ? bytes - 20 : bytes);
    await turn();
    bytes -= sizes[item - 1] ?? 0;
  };
  await forSeveralAtOnce(count(sizes.length), work, { of: (item) => sizes[item - 1] ?? 0, most: 10 });
  expect(most).toBe(10);
});

it('ends with the first failure, once what was begun has come to its end', async () => {
  const ended: number[] = [];
  const work = async (item: number) => {
    await turn();
    if (item === 3) throw new Error('away');
    await turn();
    ended.push(item);
  };
  await expect(forSeveralAtOnce(count(1_000), work)).rejects.toThrow('away');
  expect(ended.length).toBeLessThan(20);
  const before = ended.length;
  await turn();
  expect(ended).toHaveLength(before);
});
