import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queryPostgres } from '../__fixtures__/servers.js';
import type { EmbeddedService } from '../embedded-service.js';
import { readCommandLine } from '../server/describe-process.js';
import { startEmbeddedPostgres } from './start-embedded-postgres.js';

describe('startEmbeddedPostgres', () => {
  let base: string;
  let services: EmbeddedService[];
  const start = async (name: string) => {
    const service = await startEmbeddedPostgres({ directory: join(base, name) });
    services.push(service);
    return service;
  };
  const makeBase = () => {
    base = mkdtempSync(join(tmpdir(), 'model-gateway-embedded-'));
    chmodSync(base, 0o711);
  };
  const removeBase = () => {
    for (const place of listPlacesOf(base)) rmSync(place, { recursive: true });
    rmSync(base, { recursive: true, force: true });
  };
  beforeEach(() => {
    services = [];
  });
  const stopServices = () => Promise.all(services.map((service) => service.stop()));

  describe('over a directory that the tests share, since the first start makes its data', () => {
    beforeAll(makeBase);
    afterEach(stopServices);
    afterAll(removeBase);

    it('keeps its data across a stop and a start', async () => {
      const first = await start('a');
      await queryPostgres(first.url, 'create table kept as select 42 as answer');
      await first.stop();
      await expect(queryPostgres(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
      const second = await start('a');
      expect(await queryPostgres(second.url, 'select answer from kept')).toEqual([42]);
    });

    it('is durable, counts text in Unicode and asks for a password', async () => {
      const { url } = await start('a');
      expect(await queryPostgres(url, 'show fsync')).toEqual(['on']);
      expect(await queryPostgres(url, "select lower('ÄÉ'), length('ä')")).toEqual(['äé', 1]);
      const wrong = new URL(url);
      wrong.password = 'wrong';
      await expect(queryPostgres(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
    });

    it('refuses a directory that a living process owns', async () => {
      await start('a');
      await expect(start('a')).rejects.toThrow(`is in use by process ${process.pid}`);
    });

    it('starts over the pid file of a process that is none of its own, and leaves that process alone', async () => {
      await start('a').then((service) => service.stop());
      const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
      writeFileSync(join(base, 'a/data/postmaster.pid'), `${stranger.pid}\n${join(base, 'a/data')}\n`);
      const { url } = await start('a');
      expect(await queryPostgres(url, 'select 1')).toEqual([1]);
      expect(readCommandLine(stranger.pid ?? 0)).toEqual(['sleep', '60']);
      stranger.kill();
    });
  });

  describe('over a directory of its own', () => {
    beforeEach(makeBase);
    afterEach(async () => {
      await stopServices();
      removeBase();
    });

    it('shares nothing between two directories that run at once', async () => {
      const [one, two] = await Promise.all([start('one'), start('two')]);
      await queryPostgres(one.url, 'create table only_here (id bigint)');
      expect(await queryPostgres(two.url, "select to_regclass('only_here')")).toEqual([null]);
      expect(new URL(one.url).password).not.toBe(new URL(two.url).password);
    });

    it('starts again after an interrupted first start', async () => {
      mkdirSync(join(base, 'a/data.draft-999999999-abc/base'), { recursive: true });
      const { url } = await start('a');
      expect(await queryPostgres(url, 'select 1')).toEqual([1]);
      expect(readdirSync(join(base, 'a')).filter((name) => name.includes('draft'))).toEqual([]);
    });

    it("keeps root's data below a home that nobody else may enter, and forgets it with the directory", async () => {
      chmodSync(base, 0o700);
      const first = await start('a');
      await queryPostgres(first.url, 'create table kept as select 42 as answer');
      await first.stop();
      const second = await start('a');
      expect(await queryPostgres(second.url, 'select answer from kept')).toEqual([42]);
      await second.stop();
      rmSync(join(base, 'a'), { recursive: true });
      const anew = await start('a');
      expect(await queryPostgres(anew.url, "select to_regclass('kept')")).toEqual([null]);
      await anew.stop();
      rmSync(join(base, 'a'), { recursive: true });
      await start('another');
      expect(listPlacesOf(join(base, 'a'))).toEqual([]);
    });
  });
});

/** Directories below /var/lib that hold data for a directory of root's or one below it. */
function listPlacesOf(base: string): string[] {
  return readdirSync('/var/lib')
    .map((name) => join('/var/lib', name))
    .filter((place) => existsSync(join(place, 'belongs-to')))
    .filter((place) => `${readFileSync(join(place, 'belongs-to'), 'utf8')}/`.startsWith(`${base}/`));
}
