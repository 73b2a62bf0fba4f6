// `npm run fuzz -- --seconds 60 --seed 1`: feeds every codec and every reader of streams with damaged input for so long, the
// counter of tokens with texts of all scripts, and every endpoint with bodies that servers read differently, of which none may
// see another model, cap or count than is billed. The same properties run for a moment among the unit tests; here they get
// time, and a seed to find the same failure again.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
/** Properties in the files below, which share the time. */
const PROPERTIES = 66;
const FILES = [
  'libs/protocols/src/survive-anything',
  'libs/protocols/src/survive-any-stream',
  'libs/protocols/src/same-for-every-reader',
  'libs/planes/inference/src/call/count-worker',
];

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
if (!(seconds > 0) || !Number.isInteger(seed)) {
  say('Give --seconds a number above zero and --seed a whole number.');
  process.exit(2);
}

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
say(`Fuzzing for about ${seconds} s. Seed: ${seed}`);
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const pace = ['--testTimeout=0', '--fileParallelism=false'];
const { code } = await runStep(findNode(), [vitest, 'run', '--project', 'unit', ...pace, ...FILES], {
  env: { FUZZ_SEED: String(seed), FUZZ_PROPERTY_MS: String(Math.ceil((seconds * 1_000) / PROPERTIES)) },
});
say(code === 0 ? `Nothing found. Seed: ${seed}` : `Found something. Run it again with --seed ${seed}`);
process.exit(code);
