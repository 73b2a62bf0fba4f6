import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const BENCH = fileURLToPath(new URL('../dist/run-bench.js', import.meta.url));
const SHORT = ['--repetitions', '1', '--window-ms', '200', '--streams', '20', '--only', 'json2k,sse1000'];

describe('npm run bench, shortened', () => {
  it('measures all three targets, and every answered request is one charge', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, ...SHORT]);
    const [, charges, answered] =
      /ledger: (\d+) charges for (\d+) answered requests, 0 holds open/.exec(stdout) ?? [];
    expect(Number(answered)).toBeGreaterThan(100);
    expect(charges).toBe(answered);
    expect(stdout).toContain('failures: 0');
    for (const target of ['direct', 'bare', 'gateway'])
      expect(stdout.split(`\n  ${target} `)).toHaveLength(3);
  });
});
