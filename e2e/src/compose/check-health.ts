import { spawn } from 'node:child_process';
import { Client } from 'pg';
import type { ProgramRun } from '../deployment/program.js';
import type { HealthCheck } from './read-compose-file.js';

/** Where a check runs: what stands for this machine inside the container is the container's own address. */
export interface HealthCheckPlace {
  readonly address: string;
  readonly run: ProgramRun;
}

const THIS_MACHINE = /\b(127\.0\.0\.1|localhost)\b/g;

/** Programs of images that a machine may lack, by what they ask. */
const STAND_INS: Readonly<
  Record<string, (place: HealthCheckPlace, words: readonly string[]) => Promise<boolean>>
> = {
  wget: (_place, words) => answersOk(words.at(-1) ?? ''),
  pg_isready: isPostgresReady,
};

/** A health check that asks once, in place of one that goes on asking for a while (deploy/compose/watch-health.sh). */
export function readOneCheck(words: readonly string[]): readonly string[] {
  const [shell = '', script, ...asks] = words;
  if (script !== '/watch-health.sh') return words;
  if (asks[0] === '.') return [shell, ...asks.slice(1)];
  return asks[0] === 'timeout' ? asks.slice(2) : asks;
}

/** Runs a service's health check as it is written, once. Answers whether it passed within its time. */
export async function checkHealth(check: HealthCheck, place: HealthCheckPlace): Promise<boolean> {
  const [form, ...test] = check.test;
  if (form !== 'CMD') throw new Error(`A health check of the form ${form} is not known here.`);
  const [command = '', ...words] = readOneCheck(test).map((word) =>
    word.replaceAll(THIS_MACHINE, place.address),
  );
  return STAND_INS[command]?.(place, words) ?? exitsWithZero(command, words, check.timeout, place.run);
}

function exitsWithZero(
  command: string,
  words: readonly string[],
  timeoutMs: number,
  { env, cwd }: ProgramRun,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { env, cwd, timeout: timeoutMs, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

async function isPostgresReady(
  { address, run }: HealthCheckPlace,
  words: readonly string[],
): Promise<boolean> {
  const read = (option: string) => words[words.indexOf(option) + 1] ?? '';
  const client = new Client({
    host: address,
    user: read('-U'),
    database: read('-d'),
    password: run.env['POSTGRES_PASSWORD'] ?? '',
  });
  client.on('error', () => undefined);
  const isReady = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => undefined);
  return isReady;
}
