// `npm run e2e:compose`: installs and builds what is missing, and runs every scenario against the compose stack, and every
// official SDK over every type of channel against the monolith. `npm test` runs all scenarios against the monolith, and here
// those that depend on how the planes run; of SDKs it asks one over each type of channel that shares its protocol with others.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

const { values } = parseArgs({ options: { leases: { type: 'string' } } });
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker', 'migrate', 'monolith']);
say('Starting the compose stack and the monolith ...');
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { code } = await runStep(
  findNode(),
  [vitest, 'run', '--project', 'e2e', 'e2e/src/compose-stack.e2e.ts', 'e2e/src/monolith-formats.e2e.ts'],
  {
    env: { E2E_SCENARIOS: 'all' },
  },
);
process.exit(code);
