import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('./return-memory.ts', import.meta.url).href;
const CODE_MODULE = new URL('./keep-compiled-code.ts', import.meta.url).href;
/** V8 looks every eight seconds otherwise. */
const V8_OPTIONS = ['--max-semi-space-size=8', '--gc-memory-reducer-start-delay-ms=200'];
const CHECK_EVERY_MS = 100;
const WATCHED_MS = 20_000;

/** Leaves hundreds of megabytes of garbage, and then goes on to allocate a little all the time. */
const PROGRAM = `
  const { returnMemoryWhenIdle } = await import(${JSON.stringify(MODULE)});
  const { keepCompiledCode } = await import(${JSON.stringify(CODE_MODULE)});
  keepCompiledCode();
  returnMemoryWhenIdle(${CHECK_EVERY_MS});
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const before = process.memoryUsage.rss();
  let kept = [];
  for (let round = 0; round < 6; round++) {
    kept = Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'x' + index }));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const most = process.memoryUsage.rss();
  kept = [];
  setInterval(() => Array.from({ length: 2_000 }, (_, index) => ({ index })), 50);
  const deadline = Date.now() + ${WATCHED_MS};
  while (process.memoryUsage.rss() > before * 1.5 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log(JSON.stringify({ before, most, after: process.memoryUsage.rss() }));
  process.exit();
`;

describe('returnMemoryWhenIdle', () => {
  it('T25: gives the memory of a burst back while the process still does a little', async () => {
    const parameters = [...V8_OPTIONS, '--input-type=module', '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    const { before, most, after } = JSON.parse(stdout) as Record<'before' | 'most' | 'after', number>;
    expect(most).toBeGreaterThan(before * 2);
    expect(after).toBeLessThan(before * 1.5);
  }, 60_000);
});
