import { startTestServices, type TestServices } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';
import { createDataSource } from './create-data-source.js';
import { MIGRATION_NAMES } from './migrations.js';

const PASSWORD = 'a-password-of-the-gateway';
const EDITED = 'TaskHops1763700000010';
const REFUSAL = new RegExp(`^Migration ${EDITED} was edited after it had been applied`);

describe('Migrations: one that was edited after it had been applied', () => {
  let services: TestServices;
  let owner: DataSource;
  let roleUrl: string;
  const migrate = () => migrateDatabase({ url: services.databaseUrl, passwords: { gateway: PASSWORD } });
  const open = (url: string) => openDatabase({ url, poolSize: 1, applicationName: 'hash-test' });
  /** As if the build that applied it had another text of it. */
  const edit = () => owner.query('update migration_hash set hash = reverse(hash) where name = $1', [EDITED]);
  const readHashes = () =>
    owner.query<{ name: string; hash: string }[]>('select name, hash from migration_hash order by name');

  beforeAll(async () => {
    services = await startTestServices();
    owner = createDataSource({ url: services.databaseUrl, poolSize: 1, applicationName: 'hash-test' });
    await owner.initialize();
    const url = new URL(services.databaseUrl);
    url.username = 'mg_gateway';
    url.password = PASSWORD;
    roleUrl = url.href;
    await migrate();
  });
  afterAll(async () => {
    await owner.destroy();
    await services.stop();
  });

  it('is not there when every text is what it was', async () => {
    const hashes = await readHashes();
    expect(hashes.map(({ name }) => name)).toEqual(MIGRATION_NAMES.toSorted());
    await migrate();
    expect(await readHashes()).toEqual(hashes);
    await (await open(roleUrl)).destroy();
  });

  it('stops migrate, an owner and a plane with a sentence that names it', async () => {
    await edit();
    await expect(migrate()).rejects.toThrow(REFUSAL);
    await expect(open(services.databaseUrl)).rejects.toThrow(REFUSAL);
    await expect(open(roleUrl)).rejects.toThrow(REFUSAL);
    await edit();
    await migrate();
  });

  it('is known in a database of a version before hashes from its first start on', async () => {
    const hashes = await readHashes();
    await owner.query('drop table migration_hash');
    await migrate();
    expect(await readHashes()).toEqual(hashes);
    await (await open(roleUrl)).destroy();
  });

  it('is no matter in a newer schema that this build does not know', async () => {
    await owner.query(`insert into migration_hash (name, hash) values ('Later9763700000009', 'x')`);
    const database = await open(roleUrl);
    expect(database.isInitialized).toBe(true);
    await database.destroy();
    await owner.query(`delete from migration_hash where name = 'Later9763700000009'`);
  });
});
