// `npm start`: installs what is missing, builds, and runs the whole product in one process. `npm start -- --built` takes the
// build that is there. Runs on the host's own Node, before anything is installed, and so uses nothing but Node.
import { existsSync } from 'node:fs';
import { MONOLITH, runMonolith } from './src/run-monolith.mjs';
import { say, stopOnSignal } from './src/steps.mjs';
import { build, installWhenNeeded } from './src/workspace.mjs';

// Being stopped is the ordinary end of a server.
stopOnSignal(() => 0);
if (process.argv.includes('--built')) {
  if (!existsSync(MONOLITH)) {
    say('There is no build: `npm start` makes one.');
    process.exit(1);
  }
} else {
  await installWhenNeeded();
  await build(['monolith']);
}
say('Starting ...');
runMonolith();
