import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { growthPercent } from './heap-growth.js';

const MODULE = new URL('./heap-growth.ts', import.meta.url).href;
const MEBIBYTE = 1024 * 1024;

/** Reads bodies of 100 MB, one after the other, beside a heap of 60 MB, and counts the collections of the whole heap. */
function writeProgram(prepare: string): string {
  return `
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    const { limitHeapGrowth } = await import(${JSON.stringify(MODULE)});
    ${prepare}
    let collections = 0;
    const isMajor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    new PerformanceObserver((list) => (collections += list.getEntries().filter(isMajor).length)).observe({ entryTypes: ['gc'] });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 4));
    const kept = Array.from({ length: 700_000 }, (_, index) => ({ index, text: 'x' + index }));
    for (let body = 0; body < 20; body++) {
      const pieces = [];
      for (let piece = 0; piece < 50; piece++) {
        pieces.push(Buffer.alloc(2 * ${MEBIBYTE}));
        await pause();
      }
      for (const { buffer } of pieces) buffer.transfer(0);
    }
    await pause();
    console.log(JSON.stringify({ collections, kept: kept.length }));
    process.exit();`;
}

async function countCollections(prepare: string): Promise<number> {
  const parameters = ['--max-semi-space-size=8', '--input-type=module', '--eval', writeProgram(prepare)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return (JSON.parse(stdout) as { collections: number }).collections;
}

describe('limitHeapGrowth', () => {
  it('T25: has V8 collect a fraction as often while large bodies are read', async () => {
    const [byItself, limited] = await Promise.all([
      countCollections(''),
      countCollections('limitHeapGrowth();'),
    ]);
    expect(limited).toBeLessThan(byItself / 2);
  }, 120_000);

  it('lets memory grow by 256 MB at most where much is in use outside of the heap', () => {
    expect(growthPercent(0)).toBe(150);
    const inUse = 512 * MEBIBYTE;
    expect(((100 * MEBIBYTE + inUse) * growthPercent(inUse)) / 100).toBeLessThan(260 * MEBIBYTE);
    expect(growthPercent(10_000 * MEBIBYTE)).toBe(20);
  });
});
