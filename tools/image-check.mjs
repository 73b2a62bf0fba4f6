// `npm run image:check`: takes the steps of the Dockerfile one by one in folders, as no container engine is needed for that, and
// runs each image's command from its own tree, as another user who may not write to it. Prints the size of each tree.
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
say('Building the images in folders (some minutes) ...');
const { code } = await runStep(
  findNode(),
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', 'tools/src/images'],
  { env: { IMAGE_CHECK: 'true' } },
);
process.exit(code);
