// `npm run drill:routing`: a simulated day of traffic over five channels, by each strategy and by weights alone.
import { join } from 'node:path';
import { ROOT, runStep, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

process.env.DRILL_CALLS ??= '300000';
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const { code } = await runStep(findNode(), [
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'unit',
  'libs/routing/src/day-of-traffic.spec.ts',
]);
process.exit(code);
