// `npm run check`: lint, format and types, and the unit tests of what differs from main and of what imports it.
// `npm run check -- --base=HEAD~3` compares with another commit.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listChanges, listExisting, listTested } from './src/changes.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { COMPILE_CACHE, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const FORMATTED = /^(?:apps|libs|e2e|bench|tools|deploy)\/|^[^/]+\.(?:json|ts|yml)$/;
const startedMs = Date.now();
const { values } = parseArgs({ options: { base: { type: 'string', default: 'main' } } });

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const changes = listChanges(values.base);
if (changes.length === 0) finish('Nothing differs', 0);

say(`Linting and checking types, and running unit tests of ${changes.length} changed files ...`);
// At the same time as the tests: neither needs a build.
const checking = checkStatically();
const tests = await runTests(listTested(changes));
const failures = await checking;
for (const { output } of failures) say(output);
const isPassed = failures.length === 0 && tests.code === 0;
finish(isPassed ? 'Passed' : 'Failed', isPassed ? 0 : 1);

/** One after another, since the tests take a core meanwhile. Resolves with the steps that failed. */
async function checkStatically() {
  const formatted = listExisting(changes).filter((file) => FORMATTED.test(file));
  const steps = [
    ['oxlint', '--deny-warnings', 'apps', 'libs', 'e2e', 'bench', 'tools', 'deploy'],
    ['tsc', '-p', 'tsconfig.types.json'],
    ...(changes.some((file) => file.startsWith('apps/console-web/'))
      ? [['tsc', '-p', 'apps/console-web']]
      : []),
    ...(formatted.length > 0 ? [['oxfmt', '--check', '--no-error-on-unmatched-pattern', ...formatted]] : []),
  ];
  const failed = [];
  for (const [program, ...parameters] of steps) {
    const script = join(ROOT, 'node_modules/.bin', program);
    const step = await runStep(findNode(), [script, ...parameters], { capture: true });
    if (step.code !== 0) failed.push(step);
  }
  return failed;
}

/** @param tested what `vitest related` takes; all tests when left out. */
function runTests(tested) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const which = tested ? ['related', '--run', ...tested] : ['run'];
  // More than there are cores: some tests wait for what takes time, such as a deadline.
  const options = ['--project', 'unit', '--maxWorkers=6', '--reporter=dot', '--passWithNoTests'];
  return runStep(findNode(), [vitest, ...which, ...options], { env: { NODE_COMPILE_CACHE: COMPILE_CACHE } });
}

function finish(word, exitCode) {
  say(`${word}, after ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  process.exit(exitCode);
}
