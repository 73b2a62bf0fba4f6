import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const STOP_WITHIN_MS = 8_000;
const NUMBERS = { SIGINT: 2, SIGTERM: 15 };

/** Steps that run. */
const running = new Set();
let isStopping = false;
/** Who takes signals in place of the steps. */
let receiver;

/** One line for people about what goes on. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

/** On SIGINT and SIGTERM the steps that run are ended with all their children, and then this process with the code that is given for the signal. */
export function stopOnSignal(exitCodeOf) {
  for (const signal of Object.keys(NUMBERS)) {
    process.on(signal, () => {
      if (receiver) return receiver(signal);
      if (isStopping) return;
      isStopping = true;
      void Promise.all([...running].map((step) => endStep(step, signal))).then(() =>
        process.exit(exitCodeOf(NUMBERS[signal])),
      );
    });
  }
}

/** From now on `receive` is told of signals, of those too that came a moment ago: a listener that is replaced may lose one. */
export function receiveSignals(receive) {
  receiver = receive;
}

/**
 * Runs one step to its end. It stands in a process group of its own, so that a signal to this process ends it with all
 * its children. Resolves with its exit code and, where captured, its output.
 */
export function runStep(command, parameters, { env = {}, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const output = capture ? 'pipe' : 'inherit';
    const child = spawn(command, parameters, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', output, output],
    });
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (more) => (text += more));
    child.stderr?.setEncoding('utf8').on('data', (more) => (text += more));
    const step = { child, ended: new Promise((end) => child.once('exit', end)) };
    running.add(step);
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(step);
      // After a signal nothing follows this step, since this process is about to end.
      if (!isStopping) resolve({ code: code ?? 1, output: text });
    });
  });
}

async function endStep({ child, ended }, signal) {
  signalGroup(child.pid, signal);
  const hard = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(hard);
  // The step itself is gone; a child of it that ignored the signal is not.
  signalGroup(child.pid, 'SIGKILL');
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // Everything in it has ended already.
  }
}
