// `npm run drill:stack`: installs and builds what is missing, and kills and restarts the planes of the compose stack under load.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

process.env.DRILL_ROUNDS ??= '5';
process.env.E2E_SCENARIOS = 'faults';
const { values } = parseArgs({ options: { leases: { type: 'string' } } });
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker', 'migrate']);
say('Starting the compose stack ...');
const { code } = await runStep(findNode(), [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'e2e',
  'e2e/src/compose-stack.e2e.ts',
]);
process.exit(code);
