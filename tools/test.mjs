// `npm test`: installs what is missing and runs every check and test there is. What has not changed since it last passed
// comes from Nx's cache, with its results. Runs on the host's own Node, before anything is installed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { countResults } from './src/count-results.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded, runNx } from './src/workspace.mjs';

/** What Node compiled once, for the hundreds of processes that are started. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node-compile-cache');
const REPORTS = join(ROOT, 'dist/test-reports');
const SIGNAL_EXIT_CODE = 128;

/** Two projects at a time: while one waits for its servers or has a long last file, the other uses the machine. */
const PARALLEL = 2;
/** Starting and copying the product writes the build anew, which nothing else may use meanwhile. */
const STAGES = [
  {
    title: 'Building, linting, checking types, running unit tests',
    targets: ['-t', 'build,lint,typecheck,test'],
  },
  { title: 'Running integration tests on real Postgres and Redis', targets: ['-t', 'integration'] },
  { title: 'Starting the product as a newcomer does', targets: ['-t', 'e2e', '-p', 'tools'] },
  {
    title: 'Running end-to-end tests against the running planes',
    targets: ['-t', 'e2e', '--exclude', 'tools'],
  },
];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
rmSync(REPORTS, { recursive: true, force: true });
const failedStages = [];
for (const { title, targets } of STAGES) {
  say(`\n${title} ...`);
  if (targets.includes('integration')) await fetchRedis();
  const parameters = ['run-many', ...targets, `--parallel=${PARALLEL}`, '--outputStyle=static'];
  const { code } = await runNx(parameters, {
    env: { FORCE_COLOR: '0', NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  if (code !== 0) failedStages.push(title);
}
const { passed, failed } = countResults(REPORTS);
for (const title of failedStages) say(`Failed: ${title}`);
say('');
say(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || failedStages.length > 0 ? 1 : 0);

/** Before the tests, so that no test waits for a download. */
async function fetchRedis() {
  const { code } = await runStep(findNode(), [join(ROOT, 'tools/src/fetch-redis.mjs')]);
  if (code !== 0) failedStages.push('Fetching Redis');
}
