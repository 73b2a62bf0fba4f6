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
/** Projects whose tests run the planes from their build. */
const RUN_PLANES = 'e2e,bench';
/**
 * One stage after the other, what is in one at the same time. Copying and starting the product writes the build anew, so
 * nothing else may run the planes meanwhile; it waits more than it works, and is begun beside what needs the machine.
 */
const STAGES = [
  [
    {
      title: 'Building, linting, checking types, running unit tests',
      targets: ['-t', 'build,lint,typecheck,test'],
    },
  ],
  [
    { title: 'Running integration tests on real Postgres and Redis', targets: ['-t', 'integration'] },
    {
      title: 'Starting the product as a newcomer does',
      targets: ['-t', 'e2e', '--exclude', RUN_PLANES],
    },
  ],
  [
    {
      title: 'Running end-to-end tests against the running planes',
      targets: ['-t', 'e2e', '-p', RUN_PLANES],
    },
  ],
];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
rmSync(REPORTS, { recursive: true, force: true });
const failedStages = [];
for (const stage of STAGES) {
  if (stage.some(({ targets }) => targets.includes('integration'))) await fetchRedis();
  await Promise.all(stage.map(runTargets));
}
const { passed, failed } = countResults(REPORTS);
for (const title of failedStages) say(`Failed: ${title}`);
say('');
say(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || failedStages.length > 0 ? 1 : 0);

async function runTargets({ title, targets }) {
  say(`\n${title} ...`);
  const parameters = ['run-many', ...targets, `--parallel=${PARALLEL}`, '--outputStyle=static'];
  const { code } = await runNx(parameters, {
    env: { FORCE_COLOR: '0', NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  if (code !== 0) failedStages.push(title);
}

/** Before the tests, so that no test waits for a download. */
async function fetchRedis() {
  const { code } = await runStep(findNode(), [join(ROOT, 'tools/src/fetch-redis.mjs')]);
  if (code !== 0) failedStages.push('Fetching Redis');
}
