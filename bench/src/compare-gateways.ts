import { needExactLedger } from './check-ledger.js';
import { LoadDriver, type Target } from './drive-load.js';
import { readCpuOfTrees, readCpuUsSince } from './measure-process.js';
import type { Scenario } from './scenarios.js';
import { type Fleet, type FleetOptions, startFleet } from './start-fleet.js';
import { median } from './statistics.js';

const WARM_UP_WINDOWS = 4;

/** A gateway, and the loads that it is measured under. */
export interface Compared {
  readonly fleet: FleetOptions;
  readonly scenarios: readonly Scenario[];
}

/** Two gateways under the same loads, in the same order, and how often each is measured. */
export interface Comparison {
  readonly before: Compared;
  readonly after: Compared;
  readonly repetitions: number;
}

/** CPU for each request or chunk of one window, in microseconds. */
interface Cost {
  /** Of all processes of the gateway. */
  readonly gateway: number;
  /** With billing, Postgres and Redis. */
  readonly all: number;
}

/** One of the two, running. */
interface Running {
  readonly fleet: Fleet;
  readonly target: Target;
  readonly scenarios: readonly Scenario[];
  answered: number;
}

interface Pair {
  readonly before: Cost;
  readonly after: Cost;
}

/**
 * Measures two gateways, each with planes and services of its own, in turns of one window each, so that a machine that becomes
 * slower during the run slows both. Prints the CPU of each for a request or chunk and the median of the ratios of neighbouring windows.
 *
 * @throws Error where a call failed, or a ledger is not exact.
 */
export async function compareGateways(
  { before, after, repetitions }: Comparison,
  print: (line: string) => void,
): Promise<void> {
  const started: Running[] = [];
  try {
    for (const compared of [before, after]) started.push(await start(compared));
    const [one, other] = started as [Running, Running];
    for (const [index, { title }] of after.scenarios.entries()) {
      const pairs: Pair[] = [];
      for (let turn = -WARM_UP_WINDOWS; turn < repetitions; turn++) {
        // Neither is always the first of a pair.
        const isAfterFirst = turn % 2 === 0;
        const first = await measureCpu(isAfterFirst ? other : one, index);
        const second = await measureCpu(isAfterFirst ? one : other, index);
        if (turn < 0) continue;
        pairs.push(isAfterFirst ? { after: first, before: second } : { before: first, after: second });
      }
      print(`${title}, gateway: ${describePairs(pairs, ({ gateway }) => gateway)}`);
      print(`${title}, all processes: ${describePairs(pairs, ({ all }) => all)}`);
    }
    for (const { fleet, answered } of started) await needExactLedger(fleet.databaseUrl, answered);
  } finally {
    for (const { fleet } of started) await fleet.stop();
  }
}

async function start({ fleet: options, scenarios }: Compared): Promise<Running> {
  const models = [...new Set(scenarios.flatMap((scenario) => scenario.models))];
  const fleet = await startFleet(models, options);
  const target = fleet.targets.find(({ name }) => name === 'gateway');
  if (!target) throw new Error('A fleet has no gateway.');
  return { fleet, target, scenarios, answered: 0 };
}

async function measureCpu(running: Running, index: number): Promise<Cost> {
  const { target, scenarios } = running;
  const scenario = scenarios[index];
  if (!scenario) throw new Error('The two gateways have different loads.');
  const driver = new LoadDriver(target);
  const gatewayPids = target.pid === undefined ? [] : [target.pid];
  const read = () => [readCpuOfTrees(gatewayPids), readCpuOfTrees(target.allPids)] as const;
  let [gatewayBefore, allBefore] = read();
  const [model = ''] = scenario.models;
  const result = await scenario.run(driver, target.modelPrefix + model, () => {
    [gatewayBefore, allBefore] = read();
  });
  const gatewayUs = readCpuUsSince(gatewayBefore, gatewayPids);
  const allUs = readCpuUsSince(allBefore, target.allPids);
  await driver.close();
  if (result.failures > 0) throw new Error(`${result.failures} calls failed.`);
  running.answered += result.requests;
  const units = scenario.unit === 'chunk' ? result.chunks - result.chunksAtOpen : result.requests;
  return { gateway: gatewayUs / units, all: allUs / units };
}

function describePairs(pairs: readonly Pair[], read: (cost: Cost) => number): string {
  const ratios = pairs.map(({ before, after }) => read(after) / read(before)).sort((a, b) => a - b);
  const quartile = (share: number) => (ratios[Math.floor((ratios.length - 1) * share)] ?? 0).toFixed(3);
  const before = median(pairs.map((pair) => read(pair.before))).toFixed(1);
  const after = median(pairs.map((pair) => read(pair.after))).toFixed(1);
  return (
    `${before} us before, ${after} us now; ratio ${median(ratios).toFixed(3)}, ` +
    `half of ${ratios.length} pairs between ${quartile(0.25)} and ${quartile(0.75)}`
  );
}
