import type { LoadResult, Target } from './drive-load.js';
import type { Scenario } from './scenarios.js';
import { median, percentile } from './statistics.js';

export interface Sample {
  readonly scenario: string;
  readonly target: Target['name'];
  /** CPU of the target's process per request or per chunk. */
  readonly cpuUsPerUnit: number;
  readonly rssMib: number;
  readonly result: LoadResult;
}

export interface Ledger {
  /** Requests that the gateway answered. */
  readonly billed: number;
  readonly charges: number;
  readonly openHolds: number;
}

/** What the gateway may cost, as a ratio to the bare proxy's CPU of the same run, and its memory at most. */
const LIMITS: Readonly<Record<string, { readonly cpuRatio?: number; readonly rssMib?: number }>> = {
  json2k: { cpuRatio: 1.8 },
  sse100: { cpuRatio: 1.2 },
  sse1000: { cpuRatio: 1.2, rssMib: 300 },
};

/** Prints medians over the repetitions, ratios of the same run, and what was promised. @returns whether all of it holds. */
export function printReport(
  samples: readonly Sample[],
  scenarios: readonly Scenario[],
  ledger: Ledger,
  print: (line: string) => void,
): boolean {
  let good = true;
  for (const scenario of scenarios) {
    const own = samples.filter((sample) => sample.scenario === scenario.name);
    print(`\n${scenario.title}`);
    print(
      `  target    CPU us/${scenario.unit.padEnd(7)}  x bare   p50 ms   p99 ms   +p50 ms  +p99 ms   per s   RSS MiB  failures`,
    );
    for (const target of ['direct', 'bare', 'gateway'] as const) print(formatRow(own, target));
    good = checkLimits(scenario.name, own, print) && good;
  }
  const failures = samples.reduce((sum, sample) => sum + sample.result.failures, 0);
  print(
    `\nledger: ${ledger.charges} charges for ${ledger.billed} answered requests, ${ledger.openHolds} holds open`,
  );
  print(`failures: ${failures}`);
  const exact = ledger.charges === ledger.billed && ledger.openHolds === 0 && failures === 0;
  if (!exact) print('FAILED: every answered request must be one charge, and nothing may fail.');
  return good && exact;
}

function formatRow(samples: readonly Sample[], target: Target['name']): string {
  const own = samples.filter((sample) => sample.target === target);
  const cpu = cpuOf(samples, target);
  const latency = (name: Target['name'], share: number) =>
    median(samples.filter((s) => s.target === name).map((s) => percentile(s.result.latenciesMs, share)));
  const perSecond = median(
    own.map((sample) => ((sample.result.chunks || sample.result.requests) * 1_000) / sample.result.elapsedMs),
  );
  const p50 = latency(target, 0.5);
  const p99 = latency(target, 0.99);
  const columns = [
    target === 'direct' ? '-' : cpu.toFixed(1),
    target === 'gateway' ? (cpu / cpuOf(samples, 'bare')).toFixed(2) : '-',
    p50.toFixed(2),
    p99.toFixed(2),
    (p50 - latency('direct', 0.5)).toFixed(2),
    (p99 - latency('direct', 0.99)).toFixed(2),
    perSecond.toFixed(0),
    target === 'direct' ? '-' : Math.max(...own.map((sample) => sample.rssMib)).toFixed(0),
    String(own.reduce((sum, sample) => sum + sample.result.failures, 0)),
  ];
  const widths = [14, 8, 9, 9, 10, 9, 8, 9, 9];
  return `  ${target.padEnd(8)}${columns.map((text, index) => text.padStart(widths[index] ?? 9)).join('')}`;
}

function checkLimits(scenario: string, samples: readonly Sample[], print: (line: string) => void): boolean {
  const limit = LIMITS[scenario];
  let good = true;
  if (limit?.cpuRatio !== undefined) {
    const ratio = cpuOf(samples, 'gateway') / cpuOf(samples, 'bare');
    if (!(ratio <= limit.cpuRatio)) {
      good = false;
      print(
        `  FAILED: ${ratio.toFixed(2)} times the bare proxy's CPU, at most ${limit.cpuRatio} is promised`,
      );
    }
  }
  if (limit?.rssMib !== undefined) {
    const rss = Math.max(...samples.filter((s) => s.target === 'gateway').map((s) => s.rssMib));
    if (!(rss <= limit.rssMib)) {
      good = false;
      print(`  FAILED: ${rss.toFixed(0)} MiB resident, at most ${limit.rssMib} is promised`);
    }
  }
  return good;
}

function cpuOf(samples: readonly Sample[], target: Target['name']): number {
  return median(samples.filter((sample) => sample.target === target).map((sample) => sample.cpuUsPerUnit));
}
