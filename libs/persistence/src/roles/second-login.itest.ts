import { startTestServices, type TestServices } from '@mg/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';

let services: TestServices;
let owner: Client;
beforeAll(async () => {
  services = await startTestServices();
  await migrateDatabase({ url: services.databaseUrl, passwords: {} });
  owner = new Client({ connectionString: services.databaseUrl });
  await owner.connect();
  await owner.query(`create role mg_billing_2 login password 'another-password' in role mg_billing`);
});
afterAll(async () => {
  await owner.query('drop role mg_billing_2');
  await owner.end();
  await services.stop();
});

it('a plane may log in by a second name, with the rights of its role and no more', async () => {
  const url = new URL(services.databaseUrl);
  url.username = 'mg_billing_2';
  url.password = 'another-password';
  const database = await openDatabase({ url: url.href, poolSize: 1, applicationName: 'second-login-test' });
  expect(await database.query('select count(*) from entry')).toEqual([{ count: '0' }]);
  await expect(database.query('delete from entry')).rejects.toThrow('permission denied');
  await expect(database.query('select count(*) from channel_credential')).rejects.toThrow(
    'permission denied',
  );
  await database.destroy();
});
