import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const BENCH = fileURLToPath(new URL('../dist/run-bench.js', import.meta.url));
const SHORT = [
  '--repetitions',
  '1',
  '--warm-up',
  '1',
  '--window-ms',
  '200',
  '--streams',
  '20',
  '--only',
  'json2k,sse100',
];
/** Loose bounds: a short run beside other tests shows that it measures, not what is promised. */
const MOST_RATIO = 10;
const MOST_CONVERSION_MS = 50;
/** Starting all planes and measuring takes some twenty seconds, and minutes on a machine that does other things too. */
const TIMEOUT_MS = 240_000;

describe('npm run bench, shortened', () => {
  it(
    'measures every target, and every answered request is one charge',
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [BENCH, ...SHORT]);
      const [, charges, answered] =
        /ledger: (\d+) charges for (\d+) answered requests, 0 holds open/.exec(stdout) ?? [];
      expect(Number(answered)).toBeGreaterThan(100);
      expect(charges).toBe(answered);
      expect(stdout).toContain('failures: 0');
      for (const target of ['direct', 'bare', 'gateway'])
        expect(stdout.split(`\n  ${target} `)).toHaveLength(3);
      for (const target of ['to-messages', 'to-chat']) {
        const [, ratio] = new RegExp(`\\n  ${target} +[\\d.]+ +([\\d.]+)`).exec(stdout) ?? [];
        expect(Number(ratio)).toBeGreaterThan(0);
        expect(Number(ratio)).toBeLessThan(MOST_RATIO);
      }
      const conversions = [...stdout.matchAll(/: ([\d.]+) ms for \d+ KB/g)].map(([, ms]) => Number(ms));
      expect(conversions.length).toBeGreaterThan(1);
      expect(Math.max(...conversions)).toBeLessThan(MOST_CONVERSION_MS);
    },
    TIMEOUT_MS,
  );
});
