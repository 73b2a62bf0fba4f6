// `npm test`: installs what is missing and runs every check and test there is. What has not changed since it last passed
// comes from Nx's cache, with its results. Runs on the host's own Node, before anything is installed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { countResults } from './src/count-results.mjs';
import { makeTestDirectory } from './src/make-test-directory.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded, runNx } from './src/workspace.mjs';

const REPORTS = join(ROOT, 'dist/test-reports');
const SIGNAL_EXIT_CODE = 128;

/** Targets at a time: all of a stage, since Nx does not begin with the longest. */
const PARALLEL = 6;
/** Lint, types and tests are one process for all projects: each would read the same files again. */
const STAGES = [
  { title: 'Building', targets: 'build' },
  // It follows imports into the build.
  { title: 'Linting', targets: 'lint' },
  // Starting the product restores the build from the cache: what reads the build may not run beside it.
  {
    title: 'Checking types and promises, and starting the product as a newcomer does',
    before: fetchRedis,
    targets: 'start,typecheck,format,lint-promises',
  },
  // One pool of workers for all kinds: unit tests use the cores while end-to-end tests wait.
  {
    title:
      'Running unit tests, integration tests on real Postgres and Redis, and end-to-end tests against running planes',
    targets: 'all-tests',
  },
  // What other tests beside it would slow down.
  { title: 'Measuring how long things take', targets: 'measured-tests' },
];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const testDirectory = makeTestDirectory();
rmSync(REPORTS, { recursive: true, force: true });
const failedStages = [];
for (const { title, before, targets } of STAGES) {
  say(`\n${title} ...`);
  await before?.();
  const parameters = ['run-many', '-t', targets, `--parallel=${PARALLEL}`, '--outputStyle=static'];
  const { code } = await runNx(parameters, { env: { FORCE_COLOR: '0', ...testDirectory } });
  if (code !== 0) failedStages.push(title);
}
const { passed, failed, failures } = countResults(REPORTS);
for (const failure of failures) say(`Failed: ${failure}`);
for (const title of failedStages) say(`Failed: ${title}`);
say('');
say(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || failedStages.length > 0 ? 1 : 0);

/** Before the tests, so that no test waits for a download. */
async function fetchRedis() {
  const { code } = await runStep(findNode(), [join(ROOT, 'tools/src/fetch-redis.mjs')]);
  if (code !== 0) failedStages.push('Fetching Redis');
}
