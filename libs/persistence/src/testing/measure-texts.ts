import type { DataSource, QueryRunner } from 'typeorm';
import { vi } from 'vitest';

/**
 * Runs something, and measures the texts that the database's driver is given and gives meanwhile: it writes a parameter, a list
 * of texts among them, and reads a value in one step each. Bytes, which it only copies, are no texts.
 *
 * @returns the length of the longest, and that of all texts of one answer together.
 */
export async function measureTexts(
  database: DataSource,
  run: () => Promise<unknown>,
): Promise<{ readonly longest: number; readonly answer: number }> {
  let longest = 0;
  let longestAnswer = 0;
  const note = (values: readonly unknown[]) => {
    for (const value of values) longest = Math.max(longest, addLengths(value));
  };
  const runner = database.createQueryRunner();
  const driver = Object.getPrototypeOf(runner) as QueryRunner;
  await runner.release();
  const query = driver.query;
  const spy = vi.spyOn(driver, 'query').mockImplementation(async function (this: QueryRunner, ...given) {
    note((given[1] as readonly unknown[] | undefined) ?? []);
    const answer: unknown = await query.apply(this, given);
    const values = Array.isArray(answer)
      ? answer.flat().flatMap((row: unknown) => Object.values(row ?? {}))
      : [];
    note(values);
    longestAnswer = Math.max(longestAnswer, addLengths(values));
    return answer;
  });
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return { longest, answer: longestAnswer };
}

function addLengths(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + addLengths(item), 0) : 0;
}
