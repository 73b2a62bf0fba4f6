// `npm run mutants`: seeds known bugs, one at a time, and sees that the tests notice each. `-- --only quota` takes those with
// such a name. Ends with 1 when one survives.
import { parseArgs } from 'node:util';
import { runTests, SEEDED_BUGS } from './src/mutants/run-tests.mjs';
import { say, stopOnSignal } from './src/steps.mjs';
import { installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const bugs = SEEDED_BUGS.filter(({ name }) => name.includes(values.only));

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();

say(`The tests of ${bugs.length} bugs without any of them ...`);
const healthy = await runTests([...new Set(bugs.flatMap(({ tests }) => tests))]);
if (healthy.outcome !== 'passed') {
  say(`They fail as they are:\n${healthy.output}`);
  process.exit(1);
}

const survivors = [];
for (const bug of bugs) {
  const startedMs = Date.now();
  const { outcome, failed, output } = await runTests(bug.tests, bug.name);
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  if (outcome === 'failed') {
    say(`caught    ${bug.name} (${seconds} s: ${failed})`);
    continue;
  }
  say(`SURVIVED  ${bug.name} (${seconds} s)`);
  survivors.push(bug.name);
  // Tests that could not be run have noticed nothing.
  if (outcome === 'broken') say(output);
}
say(`${bugs.length - survivors.length} of ${bugs.length} bugs are caught`);
process.exit(survivors.length === 0 ? 0 : 1);
