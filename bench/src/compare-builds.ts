import { LoadDriver, type Target } from './drive-load.js';
import { readCpuUs } from './measure-process.js';
import type { Scenario } from './scenarios.js';
import { type Fleet, startFleet } from './start-fleet.js';
import { median } from './statistics.js';

const WARM_UP_WINDOWS = 4;

/** Two builds of the product, and how often each is measured. */
export interface Comparison {
  /** Root of another checkout of the product that has been built, such as that of the last release. */
  readonly against: string;
  readonly repetitions: number;
}

/**
 * Measures the gateways of two builds in turns of one window each, so that a machine that becomes slower during the run slows
 * both. Prints the CPU of each for a request or chunk and the median of the ratios of neighbouring windows.
 */
export async function compareBuilds(
  scenarios: readonly Scenario[],
  { against, repetitions }: Comparison,
  print: (line: string) => void,
): Promise<void> {
  const models = [...new Set(scenarios.flatMap((scenario) => scenario.models))];
  const fleets: Fleet[] = [];
  try {
    fleets.push(await startFleet(models, against), await startFleet(models));
    const [before, after] = fleets.map(findGateway) as [Target, Target];
    for (const scenario of scenarios) {
      const pairs: { before: number; after: number }[] = [];
      for (let turn = -WARM_UP_WINDOWS; turn < repetitions; turn++) {
        // Neither build is always the first of a pair.
        const isAfterFirst = turn % 2 === 0;
        const first = await measureCpu(scenario, isAfterFirst ? after : before);
        const second = await measureCpu(scenario, isAfterFirst ? before : after);
        if (turn < 0) continue;
        pairs.push(isAfterFirst ? { after: first, before: second } : { before: first, after: second });
      }
      print(describePairs(scenario, pairs));
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

/** CPU of the gateway for each request or chunk of one window, in microseconds. */
async function measureCpu(scenario: Scenario, target: Target): Promise<number> {
  const driver = new LoadDriver(target);
  const pid = target.pid ?? 0;
  let beforeUs = readCpuUs(pid);
  const [model = ''] = scenario.models;
  const result = await scenario.run(driver, target.modelPrefix + model, () => {
    beforeUs = readCpuUs(pid);
  });
  const cpuUs = readCpuUs(pid) - beforeUs;
  await driver.close();
  if (result.failures > 0) throw new Error(`${result.failures} calls failed.`);
  return cpuUs / (scenario.unit === 'chunk' ? result.chunks - result.chunksAtOpen : result.requests);
}

function describePairs(scenario: Scenario, pairs: readonly { before: number; after: number }[]): string {
  const ratios = pairs.map(({ before, after }) => after / before).sort((a, b) => a - b);
  const quartile = (share: number) => (ratios[Math.floor((ratios.length - 1) * share)] ?? 0).toFixed(3);
  const before = median(pairs.map((pair) => pair.before)).toFixed(1);
  const after = median(pairs.map((pair) => pair.after)).toFixed(1);
  return (
    `${scenario.title}: ${before} us before, ${after} us now; ratio ${median(ratios).toFixed(3)}, ` +
    `half of ${ratios.length} pairs between ${quartile(0.25)} and ${quartile(0.75)}`
  );
}
