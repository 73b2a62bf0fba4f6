import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('./keep-compiled-code.ts', import.meta.url).href;
/** V8 looks every eight seconds otherwise. */
const V8_OPTIONS = ['--allow-natives-syntax', '--expose-gc', '--gc-memory-reducer-start-delay-ms=100'];
const WATCHED_MS = 20_000;

/** Has a function compiled for objects that all end, and the garbage collected; says whether it is compiled still. */
function writeProgram(collect: string): string {
  return `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    import { setFlagsFromString } from 'node:v8';
    const { keepCompiledCode } = await import(${JSON.stringify(MODULE)});
    keepCompiledCode();
    let collections = 0;
    const isMajor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    new PerformanceObserver((list) => (collections += list.getEntries().filter(isMajor).length)).observe({ entryTypes: ['gc'] });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    const make = (id) => { const call = {}; call.id = id; call.model = 'm'; return call; };
    const read = (call) => call.id + call.model.length;
    const run = () => { for (let id = 0; id < 20_000; id++) read(make(id)); };
    %PrepareFunctionForOptimization(read);
    run();
    %OptimizeFunctionOnNextCall(read);
    run();
    const isCompiled = () => (%GetOptimizationStatus(read) & 16) !== 0;
    const before = isCompiled();
    ${collect}
    console.log(JSON.stringify({ before, collections, after: isCompiled() }));
    process.exit();`;
}

const COLLECT_OFTEN = 'for (let round = 0; round < 8; round++) { gc(); await pause(); }';
/**
 * V8 begins collections by itself after garbage. One that it began because much was allocated would favour memory with this
 * flag, whatever is set: next to nothing is allocated from there on, in an empty young generation.
 */
const BE_IDLE = `
  for (const end = Date.now() + ${WATCHED_MS}; collections === 0 && Date.now() < end; await pause()) {
    Array.from({ length: 100_000 }, (_, index) => ({ index, text: 'x' + index }));
  }
  gc({ type: 'minor' });
  setFlagsFromString('--optimize-for-size');
  const deadline = Date.now() + ${WATCHED_MS};
  while (collections < 2 && Date.now() < deadline) await pause();`;

describe('keepCompiledCode', () => {
  it.each([
    ['many collections', COLLECT_OFTEN, 8],
    ['that of an idle process', BE_IDLE, 2],
  ])(
    'keeps code whose objects have all ended over %s',
    async (_, collect, atLeast) => {
      const parameters = [...V8_OPTIONS, '--input-type=module', '--eval', writeProgram(collect)];
      const { stdout } = await promisify(execFile)(process.execPath, parameters);
      const { before, collections, after } = JSON.parse(stdout);
      expect({ before, after }).toEqual({ before: true, after: true });
      expect(collections).toBeGreaterThanOrEqual(atLeast);
    },
    60_000,
  );
});
