// `npm run check`: lint, types and unit tests of what differs from main, and of what stands on it.
// `npm run check -- --base=HEAD~3` compares with another commit.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listAffectedProjects } from './src/affected-projects.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { COMPILE_CACHE, findNode, installWhenNeeded, runNx } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const startedMs = Date.now();
const { values } = parseArgs({ options: { base: { type: 'string', default: 'main' } } });

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const projects = await listAffectedProjects(values.base);
if (projects.length === 0) finish('Nothing differs', 0);

const names = projects.map(({ name }) => name);
say(`Linting and checking types, and running unit tests of ${names.join(', ')} ...`);
// Targets of all projects at once, in one process each.
const quality = ['run-many', '-t', 'lint,format,typecheck', '--parallel=2', '--outputStyle=static'];
// At the same time as the tests: neither needs a build.
const checking = runNx(quality, { capture: true, env: { FORCE_COLOR: '0' } });
// One process for all of them: each would read the same libraries again.
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const folders = projects.map(({ folder }) => `${folder}/`);
const run = ['run', '--project', 'unit', '--reporter=dot', '--passWithNoTests', ...folders];
const tests = await runStep(findNode(), [vitest, ...run], { env: { NODE_COMPILE_CACHE: COMPILE_CACHE } });
const { code, output } = await checking;
if (code !== 0) say(output);
const isPassed = code === 0 && tests.code === 0;
finish(isPassed ? 'Passed' : 'Failed', isPassed ? 0 : 1);

function finish(word, exitCode) {
  say(`${word}, after ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  process.exit(exitCode);
}
