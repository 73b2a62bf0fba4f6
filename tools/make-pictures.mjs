// `npm run pictures`: has the browser tests make pictures of every view, and takes the README's from those.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const PICTURES = ['first-call-wide-light.png', 'call-wide-dark.png'];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['monolith']);
say('Making pictures of every view ...');
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { code } = await runStep(
  findNode(),
  [vitest, 'run', '--project', 'e2e', 'e2e/src/browser/console-page.e2e.ts'],
  { env: { PICTURES: 'true' } },
);
if (code !== 0) process.exit(code);

const target = join(ROOT, 'docs/images');
mkdirSync(target, { recursive: true });
for (const name of PICTURES) copyFileSync(join(ROOT, '.screenshots', name), join(target, name));
say(`Copied ${PICTURES.join(' and ')} to docs/images.`);
