// `npm run drill:restore`: installs and builds what is missing, loses a database in the middle of its work and restores it from its backup.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

process.env.DRILL_CALLS ??= '500';
const { values } = parseArgs({ options: { leases: { type: 'string' } } });
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker']);
say('Losing and restoring a database ...');
const { code } = await runStep(findNode(), [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'e2e',
  'e2e/src/drill/restore-drill.e2e.ts',
]);
process.exit(code);
