import { LoadDriver, type Target } from './drive-load.js';
import { readCpuOfTrees, readCpuUsSince } from './measure-process.js';
import type { Scenario } from './scenarios.js';
import { type Fleet, type FleetOptions, startFleet } from './start-fleet.js';
import { median } from './statistics.js';

const WARM_UP_WINDOWS = 4;

/** Two gateways, and how often each is measured. */
export interface Comparison {
  readonly before: FleetOptions;
  readonly after: FleetOptions;
  readonly repetitions: number;
}

/** CPU for each request or chunk of one window, in microseconds. */
interface Cost {
  /** Of all processes of the gateway. */
  readonly gateway: number;
  /** With billing, Postgres and Redis. */
  readonly all: number;
}

interface Pair {
  readonly before: Cost;
  readonly after: Cost;
}

/**
 * Measures two gateways, each with planes and services of its own, in turns of one window each, so that a machine that becomes
 * slower during the run slows both. Prints the CPU of each for a request or chunk and the median of the ratios of neighbouring windows.
 */
export async function compareGateways(
  scenarios: readonly Scenario[],
  comparison: Comparison,
  print: (line: string) => void,
): Promise<void> {
  const models = [...new Set(scenarios.flatMap((scenario) => scenario.models))];
  const fleets: Fleet[] = [];
  try {
    fleets.push(await startFleet(models, comparison.before), await startFleet(models, comparison.after));
    const [before, after] = fleets.map(findGateway) as [Target, Target];
    for (const scenario of scenarios) {
      const pairs: Pair[] = [];
      for (let turn = -WARM_UP_WINDOWS; turn < comparison.repetitions; turn++) {
        // Neither is always the first of a pair.
        const isAfterFirst = turn % 2 === 0;
        const first = await measureCpu(scenario, isAfterFirst ? after : before);
        const second = await measureCpu(scenario, isAfterFirst ? before : after);
        if (turn < 0) continue;
        pairs.push(isAfterFirst ? { after: first, before: second } : { before: first, after: second });
      }
      print(`${scenario.title}, gateway: ${describePairs(pairs, ({ gateway }) => gateway)}`);
      print(`${scenario.title}, all processes: ${describePairs(pairs, ({ all }) => all)}`);
    }
  } finally {
    for (const fleet of fleets) await fleet.stop();
  }
}

function findGateway({ targets }: Fleet): Target {
  const gateway = targets.find(({ name }) => name === 'gateway');
  if (!gateway) throw new Error('A fleet has no gateway.');
  return gateway;
}

async function measureCpu(scenario: Scenario, target: Target): Promise<Cost> {
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
