import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { countCharges } from './check-ledger.js';
import { compareGateways } from './compare-gateways.js';
import { LoadDriver, type LoadResult, type Target } from './drive-load.js';
import { measureConversions } from './measure-conversion.js';
import { measureReading } from './measure-reading.js';
import { readCpuUs, readCpuOfTrees, readCpuUsSince, readRssMib } from './measure-process.js';
import { measureRest } from './measure-rest.js';
import { measureSoak } from './measure-soak.js';
import { profileGateway } from './profile-gateway.js';
import { readAdmissions } from './read-admissions.js';
import { printReport, type Sample } from './report.js';
import { buildScenarios, type Scenario } from './scenarios.js';
import { startFleet } from './start-fleet.js';

/** V8 collects what a load has left within that time. */
const COLLECTED_WITHIN_MS = 20_000;

const { values } = parseArgs({
  options: {
    repetitions: { type: 'string', default: '3' },
    // Windows of each load before the measured ones: V8 needs some seconds of load to compile what is hot.
    'warm-up': { type: 'string', default: '4' },
    'window-ms': { type: 'string', default: '2000' },
    streams: { type: 'string', default: '1000' },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    against: { type: 'string' },
    workers: { type: 'string' },
    soak: { type: 'string' },
    rest: { type: 'string' },
    limits: { type: 'boolean', default: false },
    profile: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    'with-limits': { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  if (values.soak !== undefined) {
    if (!(await measureSoak(Number(values.soak), print))) process.exitCode = 1;
    return;
  }
  if (values.rest !== undefined) return measureRest(Number(values.rest), print);
  const scenarios = chooseScenarios(1);
  if (values.profile !== undefined) {
    return profileGateway(scenarios, { folder: values.profile, limits: values.limits }, print);
  }
  const isCompared = values.against !== undefined || values.workers !== undefined || values.with.length > 0;
  if (isCompared || values['with-limits']) return compare(scenarios);
  print('Starting the upstream, the bare proxy and the planes...');
  const models = [...new Set(scenarios.flatMap((scenario) => scenario.models))];
  const fleet = await startFleet(models, { limits: values.limits });
  const gateway = fleet.targets.find(({ name }) => name === 'gateway');
  if (!gateway) throw new Error('The fleet has no gateway.');
  const samples: Sample[] = [];
  let billed = 0;
  try {
    for (const scenario of scenarios) {
      const repetitions = Number(values.repetitions) * (scenario.windows ?? 1);
      for (let turn = -Number(values['warm-up']); turn < repetitions; turn++) {
        const targets = fleet.targets.filter(({ name }) => scenario.targets.includes(name));
        for (const target of turn < 0 ? targets.filter(isCompiledWhileItRuns) : targets) {
          const sample = await measure(scenario, target);
          if (target.pid === fleet.gatewayPid) billed += sample.result.requests;
          if (turn >= 0) samples.push({ ...sample, turn });
        }
      }
      print(`measured: ${scenario.title}`);
      if (scenario.name === 'sse1000') print(await describeMemory(fleet.gatewayPid, samples));
    }
    const admissions = await readAdmissions(gateway);
    const ledger = await countCharges(fleet.databaseUrl);
    const own = { conversions: measureConversions(), readings: measureReading() };
    const good = printReport(samples, scenarios, { billed, ...ledger, ...admissions }, own, print);
    if (!good && values.check) process.exitCode = 1;
  } finally {
    await fleet.stop();
  }
}

function isCompiledWhileItRuns({ name }: Target): boolean {
  return name !== 'direct' && name !== 'nginx';
}

/** @param share the part of the calls and streams of each load. */
function chooseScenarios(share: number): Scenario[] {
  const windowMs = Number(values['window-ms']);
  return buildScenarios({ windowMs, manyStreams: Number(values.streams), share }).filter(
    ({ name }) => values.only === undefined || values.only.split(',').includes(name),
  );
}

/** This build with another one, with itself under another setting, or with itself in several processes, each with as much to do. */
function compare(scenarios: readonly Scenario[]): Promise<void> {
  const { against, limits } = values;
  const workers = Number(values.workers ?? 1);
  const environment = Object.fromEntries(values.with.map(readVariable));
  const root = against === undefined ? {} : { root: against };
  const before = { fleet: { ...root, limits }, scenarios: chooseScenarios(1 / workers) };
  const after = { fleet: { workers, limits: limits || values['with-limits'], environment }, scenarios };
  return compareGateways({ before, after, repetitions: Number(values.repetitions) }, print);
}

/** How much memory the gateway has once its streams have ended, beside what it had with them. */
async function describeMemory(pid: number, samples: readonly Sample[]): Promise<string> {
  const most = Math.max(...samples.filter(({ target }) => target === 'gateway').map(({ rssMib }) => rssMib));
  await sleep(COLLECTED_WITHIN_MS);
  return `memory of the gateway: ${most.toFixed(0)} MiB with all streams, ${readRssMib(pid).toFixed(0)} MiB ${COLLECTED_WITHIN_MS / 1_000} s after them`;
}

/**
 * One window of one load against one target, with the CPU that the target's process spent on it. For streams it counts
 * from the moment all are open: what opening costs is measured by the other loads.
 */
async function measure(scenario: Scenario, target: Target): Promise<Omit<Sample, 'turn'>> {
  const driver = new LoadDriver(target);
  const [model = ''] = scenario.models;
  let cpuBeforeUs = target.pid === undefined ? 0 : readCpuUs(target.pid);
  let allBefore = readCpuOfTrees(target.allPids);
  let rssMib = 0;
  const result: LoadResult = await scenario.run(driver, target.modelPrefix + model, () => {
    if (target.pid === undefined) return;
    rssMib = readRssMib(target.pid);
    cpuBeforeUs = readCpuUs(target.pid);
    allBefore = readCpuOfTrees(target.allPids);
  });
  const cpuUs = target.pid === undefined ? 0 : readCpuUs(target.pid) - cpuBeforeUs;
  const allCpuUs = readCpuUsSince(allBefore, target.allPids);
  if (target.pid !== undefined) rssMib = Math.max(rssMib, readRssMib(target.pid));
  await driver.close();
  const units = scenario.unit === 'chunk' ? result.chunks - result.chunksAtOpen : result.requests;
  const cpuUsPerUnit = cpuUs / units;
  const allCpuUsPerUnit = allCpuUs / units;
  return { scenario: scenario.name, target: target.name, cpuUsPerUnit, allCpuUsPerUnit, rssMib, result };
}

function readVariable(text: string): [name: string, value: string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
