// `npm run screenshots`: has the browser tests make screenshots of every view, and takes the README's images from those.
// `npm run screenshots -- --matrix FOLDER`: draws every view, page and dialog of a product full of long names and failures in
// four sizes, both lights and both languages, and writes what a program finds wrong to `faults.txt` there. Names of scenes
// after the folder draw those alone, and `--widths 390,768` those sizes.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const SCREENSHOTS = ['first-call-wide-light.png', 'call-wide-dark.png'];

const { values, positionals } = parseArgs({
  options: { matrix: { type: 'string' }, widths: { type: 'string', default: '' } },
  allowPositionals: true,
});
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['monolith']);
if (values.matrix === undefined) await drawImages();
else await drawMatrix(resolve(values.matrix), positionals);

async function drawImages() {
  say('Making screenshots of every view ...');
  await runTests('e2e/src/browser/console-page.e2e.ts', { SCREENSHOTS: 'true' });
  const target = join(ROOT, 'docs/images');
  mkdirSync(target, { recursive: true });
  for (const name of SCREENSHOTS) copyFileSync(join(ROOT, '.screenshots', name), join(target, name));
  say(`Copied ${SCREENSHOTS.join(' and ')} to docs/images.`);
}

async function drawMatrix(folder, scenes) {
  say('Making screenshots of every view in every size, light and language ...');
  const chosen = scenes.length === 0 ? [] : ['--testNamePattern', ` (?:${scenes.join('|')})$`];
  await runTests(
    'e2e/src/browser/matrix/matrix.e2e.ts',
    { SCREENSHOT_MATRIX: folder, SCREENSHOT_WIDTHS: values.widths },
    chosen,
  );
  say(`They are in ${folder}.`);
}

/** Ends this process where a test fails. */
async function runTests(file, env, parameters = []) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { code } = await runStep(findNode(), [vitest, 'run', '--project', 'e2e', file, ...parameters], {
    env,
  });
  if (code !== 0) process.exit(code);
}
