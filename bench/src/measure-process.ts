import { readdirSync, readFileSync } from 'node:fs';

/** Run time of all threads of a process so far, in microseconds, as the kernel accounts it. */
export function readCpuUs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has just ended.
    }
  }
  return nanoseconds / 1_000;
}

/** Resident memory of a process, in MiB. */
export function readRssMib(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1_024;
}
