import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { needExactLedger } from './check-ledger.js';
import { CpuProfiler } from './cpu-profiler.js';
import { LoadDriver } from './drive-load.js';
import type { Scenario } from './scenarios.js';
import { startFleet } from './start-fleet.js';
import { summariseProfile, type TimeShare } from './summarise-profile.js';

const WARM_UP_WINDOWS = 3;
const SHOWN = 10;

/**
 * Profiles the gateway under each load, prints where its time goes, and writes the profiles for other tools into a folder.
 * Streams are profiled from the moment all are open.
 */
export async function profileGateway(
  scenarios: readonly Scenario[],
  { folder, limits }: { readonly folder: string; readonly limits: boolean },
  print: (line: string) => void,
): Promise<void> {
  const models = [...new Set(scenarios.flatMap((scenario) => scenario.models))];
  const fleet = await startFleet(models, { inspects: true, limits });
  try {
    const target = fleet.targets.find(({ name }) => name === 'gateway');
    if (!target || fleet.inspectorUrl === undefined) throw new Error('There is no gateway to profile.');
    const profiler = await CpuProfiler.connect(fleet.inspectorUrl);
    await mkdir(folder, { recursive: true });
    let answered = 0;
    for (const scenario of scenarios) {
      const model = target.modelPrefix + (scenario.models[0] ?? '');
      for (let turn = -WARM_UP_WINDOWS; turn <= 0; turn++) {
        const driver = new LoadDriver(target);
        let started: Promise<void> | undefined;
        const start = () => void (started ??= turn < 0 ? Promise.resolve() : profiler.start());
        if (scenario.unit === 'request') start();
        answered += (await scenario.run(driver, model, start)).requests;
        await driver.close();
      }
      const profile = await profiler.stop();
      await writeFile(join(folder, `${scenario.name}.cpuprofile`), JSON.stringify(profile));
      const { busyMs, functions, areas } = summariseProfile(profile);
      print(`\n${scenario.title}: ${busyMs.toFixed(0)} ms of work`);
      printShares(areas, print);
      printShares(functions.slice(0, SHOWN), print);
    }
    profiler.close();
    await needExactLedger(fleet.databaseUrl, answered);
  } finally {
    await fleet.stop();
  }
}

function printShares(shares: readonly TimeShare[], print: (line: string) => void): void {
  for (const { name, share } of shares) print(`  ${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  print('');
}
