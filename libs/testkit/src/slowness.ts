import { readFileSync } from 'node:fs';

/** Where things take more than this many times longer, the machine is overloaded. */
const OVERLOADED = 4;
/** What {@link work} takes on a free machine like the one that bounds of processor time are written for, in milliseconds. */
const WORK_MS = 15;
const RUNS = 3;

/**
 * How many times longer things take than on a machine with a free core, from this call to that of the function it answers:
 * by what the kernel says of how long this process waited for a core and how long it ran. What is promised by the clock holds
 * on a machine that lets the planes run. 1 unless the machine is overloaded, and where the kernel does not say.
 *
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
export function watchSlowness(): () => number {
  const before = readSchedule();
  return () => {
    const now = readSchedule();
    const ran = now.ran - before.ran;
    const slowness = ran > 0 ? (ran + now.waited - before.waited) / ran : 1;
    return slowness > OVERLOADED ? slowness : 1;
  };
}

/** Nanoseconds. */
function readSchedule(): { readonly ran: number; readonly waited: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return { ran, waited };
  } catch {
    return { ran: 0, waited: 0 };
  }
}

/**
 * What work may take here and at this moment, in milliseconds of processor time, where it may take `freeMs` on a free machine: as
 * many times longer as other work takes longer, which is looked at only where it took longer than that.
 */
export function allowMs(freeMs: number, tookMs: number): number {
  return tookMs < freeMs ? freeMs : freeMs * measureSlowness();
}

/** At least 1. */
function measureSlowness(): number {
  const times = Array.from({ length: RUNS }, () => {
    const beforeMs = readThreadMs();
    work();
    return readThreadMs() - beforeMs;
  });
  return Math.max(1, Math.min(...times) / WORK_MS);
}

/** Milliseconds that this thread has worked: time in which other programs had the machine is none of it. */
export function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** What tests of processor time do: read and write text, and copy it. */
function work(): void {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `name ${id}` })));
  JSON.parse(text);
  Buffer.concat([Buffer.alloc(4 * 1024 * 1024, text), Buffer.from(text)]);
}
