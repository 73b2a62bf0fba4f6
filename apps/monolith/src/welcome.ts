import { join } from 'node:path';
import { noteLoginShown, type Secrets } from './data-directory.js';
import { FIRST_ADMIN } from './first-login.js';

const ANSWERS_WITHIN_MS = 5_000;

export interface Installation {
  readonly gatewayUrl: string | undefined;
  readonly consoleUrl: string | undefined;
  readonly directory: string;
  readonly secrets: Secrets;
}

/** One line for the person at the terminal. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Prints addresses, login, key and a first call. The first password is printed once: screens and logs outlive it. Later starts say
 * where it lies while it is valid.
 */
export async function printWelcome({
  gatewayUrl,
  consoleUrl,
  directory,
  secrets,
}: Installation): Promise<void> {
  const gateway = toReachable(gatewayUrl);
  const console = toReachable(consoleUrl);
  const [loginWorks, keyWorks] = await Promise.all([
    answersOk(`${console}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: FIRST_ADMIN, password: secrets.adminPassword }),
    }),
    answersOk(`${gateway}/v1/models`, { headers: { authorization: `Bearer ${secrets.apiKey}` } }),
  ]);
  const key = keyWorks ? secrets.apiKey : '$API_KEY';
  const lines = [
    '',
    'Model Gateway is ready.',
    '',
    `  Gateway   ${gateway}        API reference: ${gateway}/docs`,
    `  Console   ${console}`,
    `  Login     ${describeLogin(loginWorks, directory, secrets)}`,
    keyWorks ? `  API key   ${secrets.apiKey}` : '  API key   one of your own, as API_KEY below',
    `  Data      ${directory}   (secrets: ${join(directory, 'secrets')})`,
    '',
    'A first call, answered by a simulated model:',
    '',
    `curl ${gateway}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"model":"sandbox-chat","messages":[{"role":"user","content":"Hello!"}]}'`,
    '',
    'Ctrl-C stops everything.',
    '',
  ];
  for (const line of lines) printLine(line);
  if (loginWorks) noteLoginShown(directory);
}

function describeLogin(works: boolean, directory: string, secrets: Secrets): string {
  if (!works) return 'the administrator that you have set up';
  const place = join(directory, 'secrets', 'admin-password');
  return `${FIRST_ADMIN}   ${secrets.isLoginNew ? secrets.adminPassword : `(password: ${place})`}`;
}

/** The address of a server that listens on every interface, as one can be called by. */
export function toReachable(address: string | undefined): string {
  return (address ?? '').replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function answersOk(url: string, request: RequestInit): Promise<boolean> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
