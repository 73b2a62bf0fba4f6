// `npm run dev`: starts the product as `npm start` does, and a dev server for the Console's page, which shows a change of the
// page at once and passes calls of the API on to the running Console.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runMonolith } from './src/run-monolith.mjs';
import { ROOT, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const CONSOLE_PORT = process.env.CONSOLE_PORT ?? '8081';
const DEV_PORT = process.env.DEV_PORT ?? '5173';

stopOnSignal(() => 0);
await installWhenNeeded();
await build(['monolith']);
say(`Starting the product, and the Console's page on http://localhost:${DEV_PORT} ...`);
const page = spawn(
  findNode(),
  [
    join(ROOT, 'node_modules/vite/bin/vite.js'),
    join(ROOT, 'apps/console-web'),
    '--port',
    DEV_PORT,
    '--strictPort',
  ],
  {
    cwd: ROOT,
    env: { ...process.env, CONSOLE_URL: `http://127.0.0.1:${CONSOLE_PORT}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
runMonolith({ env: { CONSOLE_ORIGIN: listOrigins() }, onEnd: () => page.kill() });
// A dev server that cannot start says why; the product stops with it. Ctrl-C ends both by itself.
page.once('exit', (code) => code && process.kill(process.pid, 'SIGTERM'));

/** The playground calls the gateway from either page, the served one and that of the dev server. */
function listOrigins() {
  if (process.env.CONSOLE_ORIGIN) return process.env.CONSOLE_ORIGIN;
  return [CONSOLE_PORT, DEV_PORT]
    .flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
    .join(',');
}
