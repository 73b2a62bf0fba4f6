import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a living process, one argument an element; empty when it is gone or dead but not yet collected. */
export function readCommandLine(pid: number): string[] {
  if (process.platform !== 'linux') return ask(pid, 'command=').split(' ').filter(Boolean);
  return (readProc(pid, 'cmdline') ?? '').split('\0').filter(Boolean);
}

/**
 * When a living process started, as an opaque text. A pid is given again after its process is gone; together with its
 * start it names one process for good.
 */
export function readStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return ask(pid, 'lstart=') || undefined;
  const stat = readProc(pid, 'stat');
  // The name in parentheses may hold blanks, so fields are counted from its end: state is the first, start the 20th.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function ask(pid: number, column: string): string {
  return spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}
