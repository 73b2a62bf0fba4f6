import { type ChildProcess, spawn } from 'node:child_process';

export interface CommandOptions {
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly env?: NodeJS.ProcessEnv;
}

const MAX_REASON_LENGTH = 600;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs a command to its end; it does not outlive this process.
 *
 * @returns what it wrote to its standard output.
 * @throws Error with the command and the end of what it wrote to stderr.
 */
export function runCommand(
  command: string,
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    running.add(child);
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('close', (code) => {
      running.delete(child);
      if (code === 0) return resolve(output);
      const reason = (stderr.trim() || output.trim()).slice(-MAX_REASON_LENGTH);
      reject(new Error(`${command} ended with ${code ?? 'a signal'}: ${reason}`));
    });
  });
}
