import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRedis } from '../__fixtures__/servers.js';
import type { EmbeddedService } from '../embedded-service.js';
import { startEmbeddedRedis } from './start-embedded-redis.js';

describe('startEmbeddedRedis', () => {
  let base: string;
  let services: EmbeddedService[];
  const start = async (name: string) => {
    const service = await startEmbeddedRedis({ directory: join(base, name) });
    services.push(service);
    return service;
  };
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'model-gateway-embedded-'));
    services = [];
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    rmSync(base, { recursive: true, force: true });
  });

  it('keeps its data across a stop and a start', async () => {
    const first = await start('a');
    await askRedis(first.url, (redis) => redis.set('kept', '42'));
    await first.stop();
    const second = await start('a');
    expect(await askRedis(second.url, (redis) => redis.get('kept'))).toBe('42');
  });

  it('never evicts, and asks for a password', async () => {
    const { url } = await start('a');
    const policy = await askRedis(url, (redis) => redis.config('GET', 'maxmemory-policy'));
    expect(policy).toEqual(['maxmemory-policy', 'noeviction']);
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
    socket.write('GET kept\r\n');
    expect(await once(socket, 'data')).toEqual([expect.stringContaining('NOAUTH')]);
    socket.destroy();
  });

  it('shares nothing between two directories that run at once', async () => {
    const [one, two] = await Promise.all([start('one'), start('two')]);
    await askRedis(one.url, (redis) => redis.set('only-here', '1'));
    expect(await askRedis(two.url, (redis) => redis.keys('*'))).toEqual([]);
  });

  it('refuses a directory that a living process owns', async () => {
    await start('a');
    await expect(start('a')).rejects.toThrow(`is in use by process ${process.pid}`);
  });
});
