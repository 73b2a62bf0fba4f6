import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine } from './describe-process.js';

const POLL_MS = 50;
const GRACE_MS = 15_000;
const KILL_GRACE_MS = 5_000;

export interface Leftover {
  /** Written by the server: its pid stands in the first line. */
  readonly pidFile: string;
  /** An argument of the server's command line that only a server of this very directory has. */
  readonly mark: string;
  readonly stopSignal: NodeJS.Signals;
}

/** Stops the server that an earlier run left behind in this directory, and removes its pid file. Other processes are left alone. */
export async function stopLeftover(leftover: Leftover): Promise<void> {
  const pid = readPid(leftover.pidFile);
  if (pid !== undefined && isServer(pid, leftover.mark)) {
    signal(pid, leftover.stopSignal);
    if (!(await isGone(pid, leftover.mark, GRACE_MS))) {
      signal(pid, 'SIGKILL');
      await isGone(pid, leftover.mark, KILL_GRACE_MS);
    }
  }
  rmSync(leftover.pidFile, { force: true });
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isServer(pid: number, mark: string): boolean {
  return readCommandLine(pid).some((argument) => argument === mark || argument.startsWith(`${mark} `));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It went by itself, which is what the signal is for.
  }
}

async function isGone(pid: number, mark: string, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs;
  while (isServer(pid, mark)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
