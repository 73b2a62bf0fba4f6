import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchOver } from './watch-over.js';

export interface ServerProgram {
  /** For people: `Postgres`, `Redis`. */
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  /** Name under which the server sees and shows itself, where it is not the command. */
  readonly argv0?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly uid?: number;
  readonly gid?: number;
  /** What the server prints; begun again at each start. */
  readonly logFile: string;
  readonly stopSignal: NodeJS.Signals;
  /** Removed when the owner dies without stopping the server. */
  readonly removeOnStop?: string;
  /** Resolves when the server answers; rejects while it does not yet. */
  readonly ping: () => Promise<void>;
  readonly onProgress?: ((sentence: string) => void) | undefined;
}

export interface RunningServer {
  stop(): Promise<void>;
}

const POLL_MS = 20;
const READY_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 10_000;
const LOG_TAIL_LENGTH = 800;

/**
 * Starts a server in a process group of its own, so that Ctrl-C reaches its owner first, and waits until it answers.
 *
 * @throws Error with the end of the server's log when it ends or stays silent.
 */
export async function launchServer(program: ServerProgram): Promise<RunningServer> {
  const log = openSync(program.logFile, 'w', 0o600);
  const child = spawn(program.command, program.parameters, {
    argv0: program.argv0,
    uid: program.uid,
    gid: program.gid,
    cwd: '/',
    env: program.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  if (child.pid === undefined) throw new Error(`${program.name} could not be started: ${program.command}`);
  const dismissWatchdog = watchOver({ ...program, pid: child.pid });
  const stop = once(async () => {
    await endServer(child, ended, program.stopSignal);
    await dismissWatchdog();
  });
  try {
    await waitUntilReady(program, child);
  } catch (error) {
    await stop();
    throw error;
  }
  const reportEnd = () =>
    program.onProgress?.(`${program.name} ended by itself. ${readLogTail(program.logFile)}`);
  child.once('exit', reportEnd);
  return {
    stop: () => {
      child.removeListener('exit', reportEnd);
      return stop();
    },
  };
}

async function waitUntilReady(program: ServerProgram, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${program.name} did not start. ${readLogTail(program.logFile)}`);
    }
    try {
      return await program.ping();
    } catch (error) {
      if (Date.now() > deadline) {
        throw new Error(`${program.name} did not answer in time. ${readLogTail(program.logFile)}`, {
          cause: error,
        });
      }
      await sleep(POLL_MS);
    }
  }
}

async function endServer(child: ChildProcess, ended: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  const hard = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(hard);
}

function readLogTail(logFile: string): string {
  const tail = readFileSync(logFile, 'utf8').trim().slice(-LOG_TAIL_LENGTH);
  return `Its log ${logFile} ends with: ${tail || '(nothing)'}`;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= action());
}
