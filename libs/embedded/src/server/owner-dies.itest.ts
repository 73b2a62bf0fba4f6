import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { askRedis, queryPostgres, readPids } from '../__fixtures__/servers.js';
import { startEmbeddedPostgres } from '../postgres/start-embedded-postgres.js';
import { startEmbeddedRedis } from '../redis/start-embedded-redis.js';
import { readCommandLine } from './describe-process.js';

const OWNER = join(import.meta.dirname, '../__fixtures__/owner.mjs');
const SOON = { timeout: 20_000, interval: 50 };

interface Urls {
  readonly postgres: string;
  readonly redis: string;
}

describe('servers whose owner dies', () => {
  let base: string;
  let owner: ChildProcess;
  let urls: Urls;
  let servers: number[];
  /** What both servers are given to keep, another figure in each test. */
  let kept = 0;

  // One for all: the first start of a server makes its data, which takes longer than a test.
  beforeAll(() => {
    base = mkdtempSync(join(tmpdir(), 'model-gateway-embedded-'));
    chmodSync(base, 0o711);
  });
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  beforeEach(async () => {
    owner = fork(OWNER, [base], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    [urls] = (await once(owner, 'message')) as [Urls];
    servers = readPids(join(base, 'postgres/data/postmaster.pid'), join(base, 'redis/redis.pid'));
    kept += 1;
    await queryPostgres(urls.postgres, `drop table if exists kept`);
    await queryPostgres(urls.postgres, `create table kept as select ${kept} as answer`);
    await askRedis(urls.redis, (redis) => redis.set('kept', String(kept)));
  });
  afterEach(async () => {
    owner.kill('SIGKILL');
    await vi.waitUntil(() => servers.flatMap(readCommandLine).length === 0, SOON);
  });

  async function readKeptAfterRestart(): Promise<unknown[]> {
    const postgres = await startEmbeddedPostgres({ directory: join(base, 'postgres') });
    const redis = await startEmbeddedRedis({ directory: join(base, 'redis') });
    const answer = await queryPostgres(postgres.url, 'select answer from kept');
    const text = await askRedis(redis.url, (client) => client.get('kept'));
    await Promise.all([postgres.stop(), redis.stop()]);
    return [...answer, text];
  }

  it('end by themselves after a kill -9 of the owner', async () => {
    owner.kill('SIGKILL');
    await vi.waitFor(() => expect(servers.flatMap(readCommandLine)).toEqual([]), SOON);
    expect(await readKeptAfterRestart()).toEqual([kept, String(kept)]);
  });

  it('are taken over by a start that follows at once', async () => {
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await readKeptAfterRestart()).toEqual([kept, String(kept)]);
  });

  it('are stopped by the next start when even the watchdogs were killed', async () => {
    for (const watchdog of findWatchdogs(servers)) process.kill(watchdog, 'SIGKILL');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(servers.map((pid) => readCommandLine(pid).length > 0)).toEqual([true, true]);
    expect(await readKeptAfterRestart()).toEqual([kept, String(kept)]);
    expect(servers.flatMap(readCommandLine)).toEqual([]);
  });

  it('stand in process groups of their own, so that Ctrl-C reaches the owner alone', () => {
    expect(servers.map(readProcessGroup)).toEqual(servers);
  });
});

function findWatchdogs(servers: readonly number[]): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const [, , , name, server] = readCommandLine(pid);
      return name === 'model-gateway-watchdog' && servers.includes(Number(server));
    });
}

function readProcessGroup(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
