// `npm run drill:video`: installs and builds what is missing, and makes videos while planes, Redis and Postgres are killed at random.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

process.env.DRILL_TASKS ??= '500';
process.env.DRILL_BREAKS ??= '60';
const { values } = parseArgs({ options: { leases: { type: 'string' } } });
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker']);
say('Making videos ...');
const { code } = await runStep(findNode(), [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'e2e',
  'e2e/src/drill/video-drill.e2e.ts',
]);
process.exit(code);
