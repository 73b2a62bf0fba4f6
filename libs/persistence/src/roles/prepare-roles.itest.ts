import { startTestServices, type TestServices } from '@mg/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase } from '../migrate-database.js';
import { openDatabase } from '../open-database.js';
import { MIGRATION_NAMES } from '../schema/migrations.js';
import { PLANE_ROLE_NAMES } from './plane-roles.js';

const PASSWORD = 'password-of-the-gateway-role';

let services: TestServices;
let administrator: Client;

beforeAll(async () => {
  services = await startTestServices();
  administrator = new Client({ connectionString: services.databaseUrl });
  await administrator.connect();
});

afterAll(async () => {
  await administrator.end();
  await services.stop();
});

function toUrl(user: string, password: string, database: string): string {
  const url = new URL(services.databaseUrl);
  url.username = user;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

async function makeDatabase(name: string, rights: string): Promise<string> {
  await administrator.query(`create role ${name} login password 'owner' ${rights}`);
  await administrator.query(`create database ${name} owner ${name}`);
  return toUrl(name, 'owner', name);
}

async function listRoles(): Promise<string[]> {
  const { rows } = await administrator.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any ($1)',
    [PLANE_ROLE_NAMES],
  );
  return rows.map((row) => row.rolname);
}

describe('an owner of a database', () => {
  it('that may not create roles has its schema nevertheless, and hears which roles are missing', async () => {
    const url = await makeDatabase('plain', 'nocreaterole');
    const migrated = await migrateDatabase({ url, passwords: { gateway: PASSWORD } });
    expect(migrated).toEqual({
      migrations: MIGRATION_NAMES.length,
      planes: [],
      missingRoles: [...PLANE_ROLE_NAMES],
      reencryptedSecrets: 0,
    });
    expect(await listRoles()).toEqual([]);
    const database = await openDatabase({ url, poolSize: 1, applicationName: 'owner-test' });
    const rows = await database.query<{ name: string }[]>('select name from migrations order by timestamp');
    expect(rows.map((row) => row.name)).toEqual(MIGRATION_NAMES);
    const open = await database.query(
      `select p.proname from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where p.prosecdef and a.grantee = 0 and p.pronamespace = current_schema()::regnamespace`,
    );
    expect(open).toEqual([]);
    await database.destroy();
  });

  it('may be one of two that migrate at the same moment', async () => {
    const urls = [await makeDatabase('first', 'superuser'), await makeDatabase('second', 'superuser')];
    const migrated = await Promise.all(
      urls.map((url) => migrateDatabase({ url, passwords: { gateway: PASSWORD } })),
    );
    expect(migrated).toEqual(
      urls.map(() => ({
        migrations: MIGRATION_NAMES.length,
        planes: ['gateway'],
        missingRoles: [],
        reencryptedSecrets: 0,
      })),
    );
    for (const name of ['first', 'second']) {
      const url = toUrl('mg_gateway', PASSWORD, name);
      const database = await openDatabase({ url, poolSize: 1, applicationName: 'role-test' });
      expect(await database.query('select current_database() as name')).toEqual([{ name }]);
      await database.destroy();
    }
  });

  it('that finds roles which an administrator made uses them, once it migrates again', async () => {
    const url = toUrl('plain', 'owner', 'plain');
    expect(await listRoles()).toHaveLength(PLANE_ROLE_NAMES.length);
    expect((await migrateDatabase({ url, passwords: {} })).missingRoles).toEqual([]);
    const gateway = toUrl('mg_gateway', PASSWORD, 'plain');
    const database = await openDatabase({ url: gateway, poolSize: 1, applicationName: 'role-test' });
    await expect(database.query('delete from wallet')).rejects.toThrow(/permission denied/);
    await database.destroy();
  });

  it('that may create roles but did not create these says that it cannot give them a password', async () => {
    const url = await makeDatabase('third', 'createrole');
    await expect(migrateDatabase({ url, passwords: { gateway: PASSWORD } })).rejects.toThrow(
      /permission denied/,
    );
  });
});
