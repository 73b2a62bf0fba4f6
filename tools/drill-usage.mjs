// `npm run drill:usage`: installs and builds what is missing, and kills a gateway under load again and again.
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

process.env.DRILL_KILLS ??= '100';
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console']);
say('Killing a gateway ...');
const { code } = await runStep(findNode(), [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'e2e',
  'e2e/src/drill/usage-drill.e2e.ts',
]);
process.exit(code);
