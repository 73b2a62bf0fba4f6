import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';

interface SeededBug {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

const bugs = JSON.parse(
  readFileSync(join(import.meta.dirname, 'seeded-bugs.json'), 'utf8'),
) as readonly SeededBug[];

describe('the seeded bugs', () => {
  it('are many, each with a name of its own', () => {
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
    expect(bugs.length).toBeGreaterThanOrEqual(30);
  });

  it.each(bugs)('$name: can be seeded, and there are tests to notice', ({ file, find, replace, tests }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text.split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  });
});
