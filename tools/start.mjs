// `npm start`: installs what is missing, builds, and runs the whole product in one process. `npm start -- --built` takes the
// build that is there. Runs on the host's own Node, before anything is installed, and so uses nothing but Node.
import { runMonolith } from './src/run-monolith.mjs';
import { say, stopOnSignal } from './src/steps.mjs';
import { build, installWhenNeeded } from './src/workspace.mjs';

// Being stopped is the ordinary end of a server.
stopOnSignal(() => 0);
if (!process.argv.includes('--built')) {
  await installWhenNeeded();
  await build(['monolith']);
}
say('Starting ...');
runMonolith();
