import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritEnvironment } from './inherit-environment.js';

const MAIN = fileURLToPath(new URL('../../../dist/apps/migrate/main.js', import.meta.url));

/** Runs `migrate` from its build with nothing in its environment but the given variables and what it needs to run. @returns what it printed. */
export async function runMigrate(variables: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...inheritEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`migrate ended with ${code}:\n${output}`);
  return output;
}
