// `npm run drill:money -- --seed 1`: installs and builds what is missing, and plays rounds of 500 parallel calls on the last
// dollar; then lets calls, top-ups and videos run while gateways, billings, workers, Postgres and Redis are killed and frozen,
// clocks jump and messages are lost, doubled and late. The same seed plans the same orders and incidents.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
/** What Node compiled once, for the processes that are started again and again. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node-compile-cache');

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    calls: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '100' },
    gateways: { type: 'string', default: '2' },
    leases: { type: 'string' },
  },
});
const { seed, calls, kills, rounds, gateways } = values;
if (![seed, calls, kills, rounds, gateways].every((text) => /^\d+$/.test(text)) || Number(gateways) < 2) {
  say('Give --seed, --calls, --kills and --rounds whole numbers, and --gateways one from 2 on.');
  process.exit(2);
}
chooseLeases(values.leases);

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker']);
say(`Spending money under kills. Seed: ${seed}`);
const { code } = await runStep(
  findNode(),
  [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'e2e',
    'e2e/src/drill/money-drill.e2e.ts',
  ],
  {
    env: {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DRILL_SEED: seed,
      DRILL_CALLS: calls,
      DRILL_KILLS: kills,
      DRILL_ROUNDS: rounds,
      DRILL_GATEWAYS: gateways,
    },
  },
);
say(
  code === 0
    ? `Every nano-dollar is there. Seed: ${seed}`
    : `Something is wrong. Run it again with --seed ${seed}`,
);
process.exit(code);
