import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { MEMORY_SETTINGS, MONOLITH_OPTIONS } from './memory-settings.mjs';
import { receiveSignals, ROOT } from './steps.mjs';
import { COMPILE_CACHE, findNode } from './workspace.mjs';

export const MONOLITH = join(ROOT, 'dist/apps/monolith/main.js');

/**
 * Runs the whole product in one process beside this one, which ends as it ends. The product drains on a signal by itself;
 * this process hands the signal on.
 *
 * @param onEnd is called before this process ends with it.
 */
export function runMonolith({ env = {}, onEnd = () => {} } = {}) {
  // The channel is never written to: its end tells the monolith that this process is gone, even by kill -9.
  const monolith = spawn(findNode(), [...MONOLITH_OPTIONS, MONOLITH], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...MEMORY_SETTINGS, ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let isStopping = false;
  receiveSignals((signal) => {
    isStopping = true;
    monolith.kill(signal);
  });
  monolith.once('exit', async (code) => {
    await onEnd();
    // Without a code the signal came before the monolith had loaded: it had started nothing yet.
    process.exit(code ?? (isStopping ? 0 : 1));
  });
}
