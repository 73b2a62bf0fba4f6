import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTestPostgres, findFreePorts } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const READY = 'Ctrl-C stops everything.';
const SOON = { timeout: 100_000, interval: 50 };
/** Looks for nothing to build, which is most of the work of a start, where that has been seen to do. */
const BUILT = ['--built'];

interface Run {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown[]>;
  output: string;
}

describe('npm start', () => {
  let directory: string;
  let variables: Record<string, string>;
  let runs: Run[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'model-gateway-start-'));
    chmodSync(directory, 0o711);
    const [gateway, console] = await findFreePorts(2);
    variables = {
      DATA_DIR: join(directory, 'data'),
      GATEWAY_PORT: String(gateway),
      CONSOLE_PORT: String(console),
    };
    runs = [];
  });
  afterEach(async () => {
    for (const { child } of runs) child.kill('SIGKILL');
    await waitUntilNothingRuns();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  function start(parameters: readonly string[], more: Record<string, string> = {}): Run {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [join(ROOT, 'tools/start.mjs'), ...parameters], {
      cwd: ROOT,
      env: { PATH, HOME, ...variables, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run: Run = { child, exited: once(child, 'exit'), output: '' };
    const keep = (text: Buffer) => (run.output += text.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    runs.push(run);
    return run;
  }

  async function startUntil(
    sentence: string,
    parameters: readonly string[] = [],
    more: Record<string, string> = {},
  ): Promise<Run> {
    const run = start(parameters, more);
    await vi.waitUntil(() => run.output.includes(sentence) || run.child.exitCode !== null, SOON);
    return run;
  }

  /** No process of the start, the monolith, Postgres or Redis: each has the data directory in its command line or surroundings. */
  const waitUntilNothingRuns = () => vi.waitUntil(() => listProcessesOf(directory).length === 0, SOON);

  it('prints a first call that works, exits 0 on a signal, and finds its data again, also with two gateway processes and after a kill -9', async () => {
    const first = await startUntil(READY);
    expect(await makeFirstCall(first.output)).toMatchObject({ object: 'chat.completion' });
    first.child.kill('SIGTERM');
    expect(await first.exited).toEqual([0, null]);
    expect(listProcessesOf(directory)).toEqual([]);

    const second = await startUntil(READY, BUILT, { GATEWAY_WORKERS: '2' });
    expect(await makeFirstCall(second.output)).toMatchObject({ object: 'chat.completion' });
    expect(readLine(second.output, 'API key')).toBe(readLine(first.output, 'API key'));
    const [, email = '', password = ''] = /Login +(\S+) +(\S+)/.exec(first.output) ?? [];
    expect(password).not.toBe('');
    expect(readLine(second.output, 'Login')).toContain(email);
    expect(second.output, 'the first password is printed once').not.toContain(password);
    second.child.kill('SIGKILL');
    await waitUntilNothingRuns();

    const third = await startUntil(READY, BUILT);
    expect(await makeFirstCall(third.output)).toMatchObject({ object: 'chat.completion' });
    third.child.kill('SIGINT');
    expect(await third.exited).toEqual([0, null]);
    expect(listProcessesOf(directory)).toEqual([]);
  });

  it.each([
    { sentence: 'Building', parameters: [] },
    { sentence: 'Starting ...', parameters: [] },
    { sentence: 'Starting the embedded Postgres', parameters: BUILT },
    { sentence: 'Starting the gateway plane', parameters: BUILT },
  ])('exits 0 when it is stopped at "$sentence"', async ({ sentence, parameters }) => {
    const run = await startUntil(sentence, parameters);
    run.child.kill('SIGTERM');
    expect(await run.exited).toEqual([0, null]);
    expect(listProcessesOf(directory)).toEqual([]);
  });

  it.each(['GATEWAY_PORT', 'CONSOLE_PORT'])('names %s when that port is in use', async (name) => {
    await copyTestPostgres(join(directory, 'data/postgres'));
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const run = start(BUILT, { [name]: String(port) });
    expect(await run.exited).toEqual([1, null]);
    expect(run.output).toContain(
      `Port ${port} is in use: stop what listens there or set ${name} to another port.`,
    );
    expect(listProcessesOf(directory)).toEqual([]);
    stranger.close();
  });
});

/** Runs the printed `curl` line's request. */
async function makeFirstCall(output: string): Promise<unknown> {
  const [, url = '', authorization = '', body = ''] =
    /^curl (\S+) -H "Authorization: (Bearer \S+)" .* -d '(.*)'$/m.exec(output) ?? [];
  const headers = { authorization, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body })).json();
}

function readLine(output: string, title: string): string | undefined {
  return output.split('\n').find((line) => line.trim().startsWith(title));
}

/** Command lines of living processes that mention a directory in them or in their environment. */
function listProcessesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => `${readProc(pid, 'cmdline')}${readProc(pid, 'environ')}`.includes(directory))
    .map((pid) => readProc(pid, 'cmdline').replaceAll('\0', ' '));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
