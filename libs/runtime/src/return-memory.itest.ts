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

/**
 * Has a function compiled for objects that all end, and keeps as much memory as an ordinary load leaves. Says whether a collection
 * drops the code after as many looks as a burst takes, and after as many as a minute has.
 */
const ORDINARY_LOAD = `
  const { returnMemoryWhenIdle } = await import(${JSON.stringify(MODULE)});
  const { keepCompiledCode } = await import(${JSON.stringify(CODE_MODULE)});
  keepCompiledCode();
  returnMemoryWhenIdle(${CHECK_EVERY_MS});
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const make = (id) => { const call = {}; call.id = id; call.model = 'm'; return call; };
  const read = (call) => call.id + call.model.length;
  const run = () => { for (let id = 0; id < 20_000; id++) read(make(id)); };
  %PrepareFunctionForOptimization(read);
  run();
  %OptimizeFunctionOnNextCall(read);
  run();
  const isCompiled = () => (%GetOptimizationStatus(read) & 16) !== 0;
  // Within one turn of the event loop, so that the process is idle still when the collection begins.
  const collect = () => { for (let round = 0; round < 12; round++) Array.from({ length: 200_000 }, (_, index) => ({ index, text: 'x' + index })); };
  await pause(1_000);
  globalThis.kept = Buffer.alloc(64 * 1024 * 1024, 1);
  await pause(${CHECK_EVERY_MS} * 10);
  collect();
  const soon = isCompiled();
  for (const end = Date.now() + ${WATCHED_MS}; isCompiled() && Date.now() < end; collect()) {
    await pause(${CHECK_EVERY_MS} * 40);
  }
  console.log(JSON.stringify({ soon, late: isCompiled() }));
  process.exit();
`;

describe('returnMemoryWhenIdle', () => {
  it('waits for a minute where giving back little would cost compiled code', async () => {
    const parameters = [
      ...V8_OPTIONS,
      '--allow-natives-syntax',
      '--input-type=module',
      '--eval',
      ORDINARY_LOAD,
    ];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    expect(JSON.parse(stdout)).toEqual({ soon: true, late: false });
  }, 60_000);

  it('T25: gives the memory of a burst back while the process still does a little', async () => {
    const parameters = [...V8_OPTIONS, '--input-type=module', '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, parameters);
    const { before, most, after } = JSON.parse(stdout) as Record<'before' | 'most' | 'after', number>;
    expect(most).toBeGreaterThan(before * 2);
    expect(after).toBeLessThan(before * 1.5);
  }, 60_000);
});
