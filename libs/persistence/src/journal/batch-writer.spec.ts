import { describe, expect, it } from 'vitest';
import { BatchWriter } from './batch-writer.js';

function setUp(fail: (rows: readonly number[]) => unknown) {
  const written: number[] = [];
  const refused: number[] = [];
  const writer = new BatchWriter<number>({
    write: async (rows) => {
      const error = fail(rows);
      if (error) throw error;
      written.push(...rows);
    },
    maxBatch: 10,
    delayMs: 1,
    onFailure: (_error, row) => {
      if (row !== undefined) refused.push(row);
    },
  });
  return { writer, written, refused };
}

const numbers = Array.from({ length: 35 }, (_, index) => index);

describe('BatchWriter', () => {
  it('writes every row once, in order', async () => {
    const { writer, written } = setUp(() => undefined);
    for (const number of numbers) writer.add(number);
    await writer.flush();
    expect(written).toEqual(numbers);
    expect(writer.pending).toBe(0);
  });

  it('tries again until the database is back', async () => {
    let failures = 2;
    const { writer, written } = setUp(() => (failures-- > 0 ? new Error('connection lost') : undefined));
    writer.add(1);
    await writer.flush();
    expect(written).toEqual([1]);
    expect(writer.failingMs).toBe(0);
  });

  it('drops only the row that the database refuses', async () => {
    const { writer, written, refused } = setUp((rows) =>
      rows.includes(7) ? Object.assign(new Error('bad row'), { code: '23503' }) : undefined,
    );
    for (const number of numbers) writer.add(number);
    await writer.flush();
    expect(written).toEqual(numbers.filter((number) => number !== 7));
    expect(refused).toEqual([7]);
  });

  it('hands back what it could not write when it has to close', async () => {
    const { writer } = setUp(() => new Error('connection lost'));
    writer.add(1);
    expect(await writer.close(50)).toEqual([1]);
  });

  it('goes on trying for as long as it may when it has to close, so that a short cut loses nothing', async () => {
    let failures = 2;
    const { writer, written } = setUp(() => (failures-- > 0 ? new Error('connection lost') : undefined));
    writer.add(1);
    expect(await writer.close(5_000)).toEqual([]);
    expect(written).toEqual([1]);
  });

  it('is closed in time when the database says nothing, and says that it is failing', async () => {
    const writer = new BatchWriter<number>({
      write: () => new Promise(() => undefined),
      maxBatch: 10,
      delayMs: 1,
      onFailure: () => undefined,
    });
    writer.add(1);
    await expect.poll(() => writer.failingMs).toBeGreaterThan(1_000);
    expect(await writer.close(50)).toEqual([1]);
  });

  it('gathers rows that come while others are written, until somebody waits for them', async () => {
    const batches: (readonly number[])[] = [];
    const writer = new BatchWriter<number>({
      write: async (rows) => {
        if (batches.push(rows) === 1) for (const number of [2, 3]) writer.add(number);
      },
      maxBatch: 10,
      delayMs: 60_000,
      onFailure: () => undefined,
    });
    writer.add(1);
    await writer.flush();
    writer.add(4);
    expect(batches).toEqual([[1]]);
    await writer.flush();
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('gathers for longer while many rows come', async () => {
    const batches: (readonly number[])[] = [];
    const writer = new BatchWriter<number>({
      write: async (rows) => {
        if (batches.push(rows) === 1) writer.add(5);
      },
      maxBatch: 10,
      delayMs: 1,
      busyDelayMs: 60_000,
      onFailure: () => undefined,
    });
    for (const number of [1, 2, 3, 4]) writer.add(number);
    await expect.poll(() => batches).toEqual([[1, 2, 3, 4]]);
    expect(writer.pending).toBe(1);
    await writer.flush();
    expect(batches).toEqual([[1, 2, 3, 4], [5]]);
    writer.add(6);
    await expect.poll(() => batches).toEqual([[1, 2, 3, 4], [5], [6]]);
  });

  it('writes a full batch without a wait', async () => {
    const written = Promise.withResolvers<readonly number[]>();
    const writer = new BatchWriter<number>({
      write: async (rows) => written.resolve(rows),
      maxBatch: 3,
      delayMs: 60_000,
      onFailure: () => undefined,
    });
    for (const number of [1, 2, 3]) writer.add(number);
    expect(await written.promise).toEqual([1, 2, 3]);
  });

  it('F7: lets those who flush go on once their rows are written, however many are added meanwhile', async () => {
    const { writer, written } = setUp(() => undefined);
    const load = setInterval(() => numbers.forEach((number) => writer.add(number)), 1);
    writer.add(-1);
    await writer.flush();
    clearInterval(load);
    expect(written).toContain(-1);
  });
});
