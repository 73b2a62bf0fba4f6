// `npm start`: installs what is missing, builds, and runs the whole product in one process. Runs on the host's own Node,
// before anything is installed, and so uses nothing but Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

// Being stopped is the ordinary end of a server.
stopOnSignal(() => 0);
await installWhenNeeded();
await build(['monolith']);
say('Starting ...');
runMonolith();

/** The monolith drains on a signal by itself; this process hands the signal on and ends as it ends. */
function runMonolith() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  // The channel is never written to: its end tells the monolith that this process is gone, even by kill -9.
  const monolith = spawn(findNode(), [join(ROOT, 'dist/apps/monolith/main.js')], {
    cwd: ROOT,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      isStopping = true;
      monolith.kill(signal);
    });
  }
  // Without a code the signal came before the monolith had loaded: it had started nothing yet.
  monolith.once('exit', (code) => process.exit(code ?? (isStopping ? 0 : 1)));
}
