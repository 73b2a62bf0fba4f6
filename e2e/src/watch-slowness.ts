import { readFileSync } from 'node:fs';

/** Where things take more than this many times longer, the machine is overloaded. */
const OVERLOADED = 4;

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
