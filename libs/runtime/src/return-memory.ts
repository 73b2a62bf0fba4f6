import { setFlagsFromString } from 'node:v8';

const CHECK_EVERY_MS = 2_000;
/** A process whose event loop takes less than this share of a processor has nothing urgent to do. */
const IDLE_SHARE = 0.1;
/** Looks in a row that found it idle: between the parts of a burst nobody should pay for a longer collection. */
const IDLE_CHECKS = 3;
const MICROSECONDS_IN_MS = 1_000;
/** Memory that is worth collecting, as a multiple of the least that the process has had. */
const GROWTH = 1.1;

/**
 * Has V8 collect the garbage of a burst once the process is idle, and give its pages back. V8 does so by itself where next
 * to nothing is allocated; a process that is asked for its health and its metrics allocates more than that, and would keep
 * hundreds of megabytes until the next burst. The flag lifts that condition; whoever is busy runs without it, for it also
 * makes collections more thorough and longer.
 *
 * @see https://github.com/v8/v8/blob/13.6.233/src/heap/memory-reducer.cc
 */
export function returnMemoryWhenIdle(lookEveryMs = CHECK_EVERY_MS): void {
  let least = Infinity;
  let isSet = false;
  let idleChecks = 0;
  let seen = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(seen);
    seen = process.threadCpuUsage();
    const isIdle = (user + system) / MICROSECONDS_IN_MS < lookEveryMs * IDLE_SHARE;
    const bytes = process.memoryUsage.rss();
    idleChecks = isIdle ? idleChecks + 1 : 0;
    least = Math.min(least, bytes);
    const isWanted = idleChecks >= IDLE_CHECKS && bytes > least * GROWTH;
    if (isWanted === isSet) return;
    setFlagsFromString(isWanted ? '--optimize-for-size' : '--no-optimize-for-size');
    isSet = isWanted;
  };
  setInterval(look, lookEveryMs).unref();
}
