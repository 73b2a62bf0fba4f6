/** Milliseconds that this thread has worked: time in which other programs had the machine is none of it. */
export function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of work, the least of three runs. */
export function measureCpuMs(run: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = readCpuMs();
    run();
    return readCpuMs() - start;
  });
  return Math.min(...times);
}

/** Too little to compare with. */
const LEAST_MS = 3;

/** How many times as long eight times as much takes: about 8 where the time follows the amount, 64 where it follows its square. */
export function measureGrowth(amount: number, run: (amount: number) => void): number {
  run(amount);
  const less = measureCpuMs(() => run(amount));
  return measureCpuMs(() => run(amount * 8)) / Math.max(less, LEAST_MS);
}
