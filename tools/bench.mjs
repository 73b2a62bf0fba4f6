// `npm run bench`: installs and builds what is missing, and measures what the gateway costs on this machine.
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['gateway', 'billing', 'console', 'video-worker', 'bench']);
say('Measuring ...');
const { code } = await runStep(findNode(), [join(ROOT, 'bench/dist/run-bench.js'), ...process.argv.slice(2)]);
process.exit(code);
