import { createTcpProxy, startTestServices, type TestServices } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';
import { MIGRATION_NAMES } from './migrations.js';

const PASSWORD = 'a-password-of-the-gateway';
const OPTIONS = { poolSize: 2, applicationName: 'boot-test' };

/** Records what is reported while a process waits. */
class Listening {
  readonly reasons: string[] = [];
  ended = false;
  #called = Promise.withResolvers<void>();

  async report(reason: string): Promise<void> {
    if (this.reasons.at(-1) !== reason) this.reasons.push(reason);
    this.#called.resolve();
  }

  async end(): Promise<void> {
    this.ended = true;
  }

  get called(): Promise<void> {
    return this.#called.promise;
  }
}

describe('a plane that opens its database', () => {
  let services: TestServices;
  let roleUrl: string;
  beforeAll(async () => {
    services = await startTestServices();
    const url = new URL(services.databaseUrl);
    url.username = 'mg_gateway';
    url.password = PASSWORD;
    roleUrl = url.href;
  });
  afterAll(() => services.stop());

  it('waits under its own role until migrate has run, and opens then', async () => {
    const standBy = new Listening();
    const opening = openDatabase({ ...OPTIONS, url: roleUrl, standBy });
    await standBy.called;
    expect(standBy.reasons[0]).toMatch(/does not let mg_gateway in/);
    expect(standBy.ended).toBe(false);

    await migrateDatabase({ url: services.databaseUrl, passwords: { gateway: PASSWORD } });
    const database = await opening;
    expect(standBy.ended).toBe(true);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database.destroy();
  });

  it('waits for a migration that its build knows and the database does not have', async () => {
    const owner = await openDatabase({ ...OPTIONS, url: services.databaseUrl });
    const last = MIGRATION_NAMES.at(-1);
    await owner.query('update migrations set name = $1 where name = $2', ['Taken0', last]);
    const standBy = new Listening();
    const opening = openDatabase({ ...OPTIONS, url: roleUrl, standBy });
    await standBy.called;
    expect(standBy.reasons).toEqual(['The database waits for 1 migrations: run migrate.']);
    await owner.query('update migrations set name = $2 where name = $1', ['Taken0', last]);
    await (await opening).destroy();
    await owner.destroy();
  });

  it('opens a schema that is newer than its build', async () => {
    const owner = await openDatabase({ ...OPTIONS, url: services.databaseUrl });
    await owner.query(
      `insert into migrations (timestamp, name) values (9763700000009, 'Later9763700000009')`,
    );
    const database = await openDatabase({ ...OPTIONS, url: roleUrl });
    expect(database.isInitialized).toBe(true);
    await database.destroy();
    await owner.query(`delete from migrations where name = 'Later9763700000009'`);
    await owner.destroy();
  });

  it('tries again when Postgres does not take its connection in time', async () => {
    let connections = 0;
    const proxy = await createTcpProxy(services.databaseUrl, undefined, (answers, to) => {
      connections++;
      if (connections > 1) answers.pipe(to);
    });
    const standBy = new Listening();
    const database = await openDatabase({ ...OPTIONS, url: proxy.url, standBy });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(standBy.reasons).toEqual(['Postgres does not take connections in time.']);
    await database.destroy();
    await proxy.close();
  });

  it('fails at once when the owner is not let in', async () => {
    const url = new URL(services.databaseUrl);
    url.password = 'wrong';
    await expect(openDatabase({ ...OPTIONS, url: url.href })).rejects.toThrow(/password authentication/);
  });
});

describe('owners that boot at the same moment', () => {
  it('F8: migrate an empty database once, with indexes that are built beside everybody', async () => {
    const services = await startTestServices();
    const databases = await Promise.all(
      [1, 2, 3, 4].map(() => openDatabase({ ...OPTIONS, url: services.databaseUrl })),
    );
    const [first] = databases;
    const names = await first?.query<{ name: string }[]>('select name from migrations order by id');
    expect(names?.map(({ name }) => name)).toEqual(MIGRATION_NAMES);
    for (const database of databases) await database.destroy();
    await services.stop();
  });
});
