// `npm run seed:logs -- --calls 5000000`: installs and builds what is missing, fills a database with months of calls and
// measures the check of the ledger, the Console's lists and sums, and expiry.
import { join } from 'node:path';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['bench']);
say('Seeding ...');
const { code } = await runStep(findNode(), [join(ROOT, 'bench/dist/seed-logs.js'), ...process.argv.slice(2)]);
process.exit(code);
