import { getHeapStatistics, setFlagsFromString } from 'node:v8';

const MEBIBYTE = 1024 * 1024;
const CHECK_EVERY_MS = 250;
/** What may gather, in V8's heap and outside of it, before it is collected. */
const GROWTH_BYTES = 256 * MEBIBYTE;
/** What a process has in its heap that serves few calls, roughly. */
const HEAP_BYTES = 100 * MEBIBYTE;
const PERCENT = { least: 20, most: 150 } as const;
/** Counts memory outside of the heap, of which V8 allows 16 to 64 MB otherwise, towards the limit that grows with it. */
const COUNT_EXTERNAL_MEMORY = '--external-memory-accounted-in-global-limit';

/**
 * Has V8 collect the heap once it has grown by 150 %, or by 256 MB where large bodies are in memory. V8 by itself began a
 * collection for each 16 to 64 MB that was read of them, all of which was in use: 230 collections of 25 ms in nine steps of the attack,
 * 51 to 57 with this.
 *
 * Figures: docs/decisions/0012-the-event-loop-is-never-held.md.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(COUNT_EXTERNAL_MEMORY);
  let current: number | undefined;
  const adjust = () => {
    const percent = growthPercent(getHeapStatistics().external_memory);
    if (percent !== current) setFlagsFromString(`--heap-growing-percent=${percent}`);
    current = percent;
  };
  adjust();
  setInterval(adjust, CHECK_EVERY_MS).unref();
}

/** By how much memory may grow before it is collected, in percent, beside so many bytes outside of the heap. */
export function growthPercent(externalBytes: number): number {
  const percent = Math.round((100 * GROWTH_BYTES) / (HEAP_BYTES + externalBytes));
  return Math.min(PERCENT.most, Math.max(PERCENT.least, percent));
}
