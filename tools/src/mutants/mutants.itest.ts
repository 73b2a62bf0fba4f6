import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';

const run = promisify(execFile);

describe('npm run mutants', () => {
  it('sees that tests notice a bug which no file shows', async () => {
    const parameters = [join(ROOT, 'tools/mutants.mjs'), '--only', 'rounded down'];
    const { stdout } = await run(process.execPath, parameters, { cwd: ROOT });
    expect(stdout).toContain('1 of 1 bugs are caught');
  });
});
