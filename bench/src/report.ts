import type { LoadResult, TargetName } from './drive-load.js';
import type { ConversionTime } from './measure-conversion.js';
import type { ReadingTime } from './measure-reading.js';
import type { Scenario } from './scenarios.js';
import { median, percentile } from './statistics.js';

export interface Sample {
  readonly scenario: string;
  readonly target: TargetName;
  /** Windows of one turn follow each other: what the machine's speed does to one it does to the others. */
  readonly turn: number;
  /** CPU of the target's process per request or per chunk. */
  readonly cpuUsPerUnit: number;
  /** The same of all processes that a call takes: the gateway with billing, Postgres and Redis. */
  readonly allCpuUsPerUnit: number;
  readonly rssMib: number;
  readonly result: LoadResult;
}

export interface Ledger {
  /** Requests that the gateway answered. */
  readonly billed: number;
  readonly charges: number;
  readonly openHolds: number;
  /** Calls for which money was set aside in memory, and those for which billing was asked. */
  readonly byLease: number;
  readonly byBilling: number;
}

/** What is measured in the bench's own process. */
export interface OwnTimes {
  readonly conversions: readonly ConversionTime[];
  readonly readings: readonly ReadingTime[];
}

interface Limit {
  /** CPU at most, as a ratio to another target's of the same run. */
  readonly cpu: readonly { readonly of: TargetName; readonly to: TargetName; readonly atMost: number }[];
  /** Resident memory of the gateway at most. */
  readonly rssMib?: number;
}

/** 300 MB of a million bytes each: the stricter reading of the promise. */
const MOST_RSS_MIB = 300_000_000 / (1_024 * 1_024);
const MOST_CONVERSION_MS = 1;
/** A chunk that comes later than this is not on time. */
const ON_TIME_MS = 50;
const LIMITS: Readonly<Record<string, Limit>> = {
  json2k: { cpu: [{ of: 'gateway', to: 'bare', atMost: 2.6 }] },
  sse100: {
    cpu: [
      { of: 'gateway', to: 'bare', atMost: 1.4 },
      { of: 'to-messages', to: 'gateway', atMost: 2 },
      { of: 'to-chat', to: 'gateway', atMost: 2 },
    ],
  },
  sse1000: { cpu: [{ of: 'gateway', to: 'bare', atMost: 1.2 }], rssMib: MOST_RSS_MIB },
};
/** What each target's CPU is shown as a ratio to. */
const COMPARED_WITH: Readonly<Partial<Record<TargetName, TargetName>>> = {
  gateway: 'bare',
  'to-messages': 'gateway',
  'to-chat': 'gateway',
};

/** Prints medians over the repetitions, ratios of the same run, and what was promised. @returns whether all of it holds. */
export function printReport(
  samples: readonly Sample[],
  scenarios: readonly Scenario[],
  ledger: Ledger,
  { conversions, readings }: OwnTimes,
  print: (line: string) => void,
): boolean {
  let good = true;
  for (const scenario of scenarios) {
    const own = samples.filter((sample) => sample.scenario === scenario.name);
    print(`\n${scenario.title}`);
    print(
      `  target       CPU us/${scenario.unit.padEnd(7)}  ratio      all  ratio   p50 ms   p99 ms   +p50 ms  +p99 ms   per s   RSS MiB  failures`,
    );
    // nginx is not to be had everywhere.
    const measured = scenario.targets.filter((name) => own.some(({ target }) => target === name));
    for (const target of measured) print(formatRow(own, target));
    printNginx(own, print);
    if (scenario.unit === 'chunk') for (const target of measured) printDelays(own, target, print);
    good = checkLost(scenario, own, print) && good;
    good = checkLimits(scenario.name, own, print) && good;
  }
  good = printConversions(conversions, print) && good;
  printReadings(readings, print);
  const failures = samples.reduce((sum, sample) => sum + sample.result.failures, 0);
  print(
    `\nledger: ${ledger.charges} charges for ${ledger.billed} answered requests, ${ledger.openHolds} holds open`,
  );
  const admissions = ledger.byLease + ledger.byBilling;
  print(
    `admissions: ${ledger.byLease} by a lease, ${ledger.byBilling} by asking billing, ` +
      `${(ledger.byBilling / admissions).toFixed(4)} of a call`,
  );
  print(`failures: ${failures}`);
  const exact = ledger.charges === ledger.billed && ledger.openHolds === 0 && failures === 0;
  if (!exact) print('FAILED: every answered request must be one charge, and nothing may fail.');
  return good && exact;
}

function printConversions(conversions: readonly ConversionTime[], print: (line: string) => void): boolean {
  let good = true;
  print('\nConversion of a request of 50 KB');
  for (const { from, to, bodyBytes, ms } of conversions) {
    print(`  ${from} to ${to}: ${ms.toFixed(2)} ms for ${(bodyBytes / 1_024).toFixed(0)} KB`);
    if (ms <= MOST_CONVERSION_MS) continue;
    good = false;
    print(`  FAILED: at most ${MOST_CONVERSION_MS} ms is promised`);
  }
  return good;
}

function printReadings(readings: readonly ReadingTime[], print: (line: string) => void): void {
  print('\nStrict reading of a request of 50 KB');
  for (const { protocol, bodyBytes, strictMs, parseMs } of readings) {
    const size = `${(bodyBytes / 1_024).toFixed(0)} KB`;
    print(
      `  ${protocol}: ${strictMs.toFixed(3)} ms for ${size}, which take ${parseMs.toFixed(3)} ms to parse`,
    );
  }
}

function formatRow(samples: readonly Sample[], target: TargetName): string {
  const own = samples.filter((sample) => sample.target === target);
  const cpu = cpuOf(samples, target);
  const all = median(own.map((sample) => sample.allCpuUsPerUnit));
  const other = COMPARED_WITH[target];
  const latency = (name: TargetName, share: number) =>
    median(samples.filter((s) => s.target === name).map((s) => percentile(s.result.latenciesMs, share)));
  const perSecond = median(
    own.map((sample) => ((sample.result.chunks || sample.result.requests) * 1_000) / sample.result.elapsedMs),
  );
  const p50 = latency(target, 0.5);
  const p99 = latency(target, 0.99);
  const columns = [
    target === 'direct' ? '-' : cpu.toFixed(1),
    other === undefined ? '-' : (cpu / cpuOf(samples, other)).toFixed(2),
    target === 'direct' ? '-' : all.toFixed(1),
    target === 'gateway' ? (all / cpuOf(samples, 'bare')).toFixed(2) : '-',
    p50.toFixed(2),
    p99.toFixed(2),
    (p50 - latency('direct', 0.5)).toFixed(2),
    (p99 - latency('direct', 0.99)).toFixed(2),
    perSecond.toFixed(0),
    target === 'direct' ? '-' : Math.max(...own.map((sample) => sample.rssMib)).toFixed(0),
    String(own.reduce((sum, sample) => sum + sample.result.failures, 0)),
  ];
  const widths = [14, 8, 9, 7, 9, 9, 10, 9, 8, 9, 9];
  return `  ${target.padEnd(11)}${columns.map((text, index) => text.padStart(widths[index] ?? 9)).join('')}`;
}

function printNginx(samples: readonly Sample[], print: (line: string) => void): void {
  const least = cpuOf(samples, 'nginx');
  if (!(least > 0)) return;
  const ratios = (['bare', 'gateway'] as const).map(
    (target) => `${target} ${(cpuOf(samples, target) / least).toFixed(1)}`,
  );
  print(`  to nginx's CPU: ${ratios.join(', ')}`);
}

/** Chunks that did not arrive in streams that ended well. */
function checkLost(
  { stampedChunks }: Scenario,
  samples: readonly Sample[],
  print: (line: string) => void,
): boolean {
  if (stampedChunks === undefined) return true;
  const streams = samples.filter(({ target }) => target === 'gateway').map(({ result }) => result);
  const sent = streams.reduce((sum, { requests }) => sum + requests * stampedChunks, 0);
  const lost = sent - streams.reduce((sum, result) => sum + result.stampedChunks, 0);
  print(`  gateway: ${lost} of ${sent} chunks lost`);
  return lost === 0;
}

/** How much later chunks arrive than the upstream sent them, where these say when that was. */
function printDelays(samples: readonly Sample[], target: TargetName, print: (line: string) => void): void {
  const delays = samples.flatMap(({ target: own, result }) => (own === target ? result.chunkDelaysMs : []));
  if (delays.length === 0) return;
  const onTime = delays.filter((delayMs) => delayMs <= ON_TIME_MS).length / delays.length;
  const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  print(
    `  ${target}: ${(onTime * 100).toFixed(1)} % of ${delays.length} chunks within ${ON_TIME_MS} ms, ` +
      `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}

function checkLimits(scenario: string, samples: readonly Sample[], print: (line: string) => void): boolean {
  const limit = LIMITS[scenario];
  let good = true;
  for (const { of, to, atMost } of limit?.cpu ?? []) {
    const ratio = cpuOf(samples, of) / cpuOf(samples, to);
    const ratios = listRatios(samples, of, to);
    print(`  in each turn, ${of} to ${to}: ${ratios.map((one) => one.toFixed(2)).join(', ')}`);
    if (ratio <= atMost) continue;
    good = false;
    print(`  FAILED: ${of} takes ${ratio.toFixed(2)} times the CPU of ${to}, at most ${atMost} is promised`);
  }
  if (limit?.rssMib !== undefined) {
    const rss = Math.max(...samples.filter((s) => s.target === 'gateway').map((s) => s.rssMib));
    if (!(rss <= limit.rssMib)) {
      good = false;
      print(`  FAILED: ${rss.toFixed(0)} MiB resident, at most ${limit.rssMib.toFixed(0)} is promised`);
    }
  }
  return good;
}

/** Of the CPU of two targets in each turn, smallest first. */
function listRatios(samples: readonly Sample[], of: TargetName, to: TargetName): number[] {
  const others = new Map(
    samples.filter(({ target }) => target === to).map(({ turn, cpuUsPerUnit }) => [turn, cpuUsPerUnit]),
  );
  return samples
    .filter(({ target }) => target === of)
    .map(({ turn, cpuUsPerUnit }) => cpuUsPerUnit / (others.get(turn) ?? Number.NaN))
    .toSorted((left, right) => left - right);
}

function cpuOf(samples: readonly Sample[], target: TargetName): number {
  return median(samples.filter((sample) => sample.target === target).map((sample) => sample.cpuUsPerUnit));
}
