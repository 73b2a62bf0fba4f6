// `npm run screenshots`: has the browser tests make screenshots of every view, and takes the README's images from those.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const SCREENSHOTS = ['first-call-wide-light.png', 'call-wide-dark.png'];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['monolith']);
say('Making screenshots of every view ...');
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { code } = await runStep(
  findNode(),
  [vitest, 'run', '--project', 'e2e', 'e2e/src/browser/console-page.e2e.ts'],
  { env: { SCREENSHOTS: 'true' } },
);
if (code !== 0) process.exit(code);

const target = join(ROOT, 'docs/images');
mkdirSync(target, { recursive: true });
for (const name of SCREENSHOTS) copyFileSync(join(ROOT, '.screenshots', name), join(target, name));
say(`Copied ${SCREENSHOTS.join(' and ')} to docs/images.`);
