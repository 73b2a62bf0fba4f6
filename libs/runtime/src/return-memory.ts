import { setFlagsFromString } from 'node:v8';

const CHECK_EVERY_MS = 2_000;
/** A process whose event loop takes less than this share of a processor has nothing urgent to do. */
const IDLE_SHARE = 0.1;
/** Looks in a row that found it idle: between the parts of a burst nobody should pay for a longer collection. */
const IDLE_CHECKS = 3;
/** Looks within which V8 collects twice, and gives back what it can. */
const COLLECTING_CHECKS = 20;
const MICROSECONDS_IN_MS = 1_000;
/** Memory that is worth collecting, as a multiple of what the process had when it last gave some back. */
const GROWTH = 1.3;
const FLAGS = {
  collecting: ['--optimize-for-size', '--memory-reducer-favors-memory'],
  otherwise: ['--no-optimize-for-size', '--no-memory-reducer-favors-memory'],
} as const;

/**
 * Has V8 collect the garbage of a burst once the process is idle, and give its pages back. V8 does so by itself where next
 * to nothing is allocated; a process that is asked for its health and its metrics allocates more than that, and would keep
 * hundreds of megabytes until the next burst. The flags lift that condition. They also make collections longer, and drop
 * compiled code (`keepCompiledCode`), so that they are not set for a process that is busy or has as much memory as ever.
 *
 * @see https://github.com/v8/v8/blob/13.6.233/src/heap/memory-reducer.cc
 */
export function returnMemoryWhenIdle(lookEveryMs = CHECK_EVERY_MS): void {
  let usual = Infinity;
  let idleChecks = 0;
  /** Looks for which V8 is still told to collect. */
  let checksLeft = 0;
  let seen = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(seen);
    seen = process.threadCpuUsage();
    const isIdle = (user + system) / MICROSECONDS_IN_MS < lookEveryMs * IDLE_SHARE;
    const bytes = process.memoryUsage.rss();
    idleChecks = isIdle ? idleChecks + 1 : 0;
    if (usual === Infinity) usual = bytes;
    if (checksLeft > 0) {
      checksLeft = isIdle ? checksLeft - 1 : 0;
      if (checksLeft > 0) return;
      if (isIdle) usual = bytes;
      setFlags('otherwise');
    } else if (idleChecks >= IDLE_CHECKS && bytes > usual * GROWTH) {
      checksLeft = COLLECTING_CHECKS;
      setFlags('collecting');
    }
  };
  setInterval(look, lookEveryMs).unref();
}

function setFlags(state: keyof typeof FLAGS): void {
  for (const flag of FLAGS[state]) setFlagsFromString(flag);
}
