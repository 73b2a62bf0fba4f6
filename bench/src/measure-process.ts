import { readdirSync, readFileSync } from 'node:fs';

/** Run time of all threads of a process so far, in microseconds, as the kernel accounts it. */
export function readCpuUs(pid: number): number {
  let nanoseconds = 0;
  for (const thread of listThreads(pid)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      // The thread has just ended.
    }
  }
  return nanoseconds / 1_000;
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // The process has just ended.
    return [];
  }
}

/** Run time so far of processes and of all that they have started, in microseconds, by process. */
export type CpuOfTrees = ReadonlyMap<number, number>;

export function readCpuOfTrees(roots: readonly number[]): CpuOfTrees {
  const childrenOf = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const listTree = (pid: number): number[] => [
    pid,
    ...(childrenOf.get(pid) ?? []).flatMap((child) => listTree(child.pid)),
  ];
  return new Map(roots.flatMap(listTree).map((pid) => [pid, readCpuUs(pid)]));
}

/** What they ran since, in microseconds. What a process ran that has ended meanwhile is not in it. */
export function readCpuUsSince(earlier: CpuOfTrees, roots: readonly number[]): number {
  return [...readCpuOfTrees(roots)].reduce((sum, [pid, us]) => sum + us - (earlier.get(pid) ?? 0), 0);
}

/** Processes that this process has started and that still live. */
export function listChildren(): number[] {
  return listProcesses().flatMap(({ pid, parent }) => (parent === process.pid ? [pid] : []));
}

function listProcesses(): { readonly pid: number; readonly parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of a program stands in brackets and may hold anything.
      const [, , parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '- ')
        .split(' ');
      return [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      // The process has just ended.
      return [];
    }
  });
}

/** Resident memory of a process, in MiB. */
export function readRssMib(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) / 1_024;
}
