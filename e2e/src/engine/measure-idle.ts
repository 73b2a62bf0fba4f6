import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineContainer, type EngineProject, serviceOf } from './engine-project.js';

/** By then what calls before left behind has been counted, and each process has collected its garbage, 60 to 90 s after them. */
const SETTLED_AFTER_MS = 100_000;
/** A third of the two minutes that a health check takes; containers begin theirs at different times. */
const MEASURED_MS = 40_000;
const NANOSECONDS_A_MICROSECOND = 1_000;
const NANOSECONDS_A_MILLISECOND = 1_000_000;

/** What each container uses of one core while nobody calls, health checks included: in percent, by name. */
export async function measureIdle(project: EngineProject): Promise<Map<string, number>> {
  const containers = (await project.list()).filter(({ State }) => State.Running);
  await sleep(SETTLED_AFTER_MS);
  const before = containers.map(readCpuNs);
  await sleep(MEASURED_MS);
  return new Map(
    containers.map((container, index) => {
      const usedNs = readCpuNs(container) - (before[index] ?? 0);
      return [`${serviceOf(container)} ${container.Name.split('-').at(-1)}`, toPercent(usedNs)];
    }),
  );
}

function toPercent(usedNs: number): number {
  return (100 * usedNs) / (MEASURED_MS * NANOSECONDS_A_MILLISECOND);
}

/** CPU that everything in a container has used since its start, by either version of control groups. */
function readCpuNs({ State }: EngineContainer): number {
  const groups = readFileSync(`/proc/${State.Pid}/cgroup`, 'utf8').split('\n');
  const pathOf = (name: string) =>
    groups.find((line) => line.split(':')[1]?.split(',').includes(name))?.split(':')[2];
  const first = `/sys/fs/cgroup/cpuacct${pathOf('cpuacct')}/cpuacct.usage`;
  if (existsSync(first)) return Number(readFileSync(first, 'utf8'));
  const text = readFileSync(`/sys/fs/cgroup${pathOf('')}/cpu.stat`, 'utf8');
  return Number(/usage_usec (\d+)/.exec(text)?.[1]) * NANOSECONDS_A_MICROSECOND;
}
