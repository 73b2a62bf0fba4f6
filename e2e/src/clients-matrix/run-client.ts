import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';

const ENDS_WITHIN_MS = 120_000;
const SHOWN_CHARACTERS = 2_000;

/** A program of somebody else, as it is to be run. */
export interface ClientRun {
  readonly program: string;
  /** Folder of programs that it starts by their names. */
  readonly programs?: string;
  readonly parameters: readonly string[];
  /** All that is in its environment, beside PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Runs a client to its end, in a process group of its own. @throws Error with what it printed last, where it fails or does not end. */
export async function runClient({ program, programs, parameters, env, folder }: ClientRun): Promise<string> {
  const own = programs ?? dirname(program);
  const path = [own, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const child = spawn(program, parameters, {
    cwd: folder,
    env: { PATH: path, TERM: 'dumb', CI: '1', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const timer = setTimeout(() => killGroup(child.pid), ENDS_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code === 0) return output;
  const why = code === null ? 'did not end' : `ended with ${code}`;
  throw new Error(`${program} ${why}:\n${output.slice(-SHOWN_CHARACTERS)}`);
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
