import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '@mg/contract';
import { findCallerToken } from '@mg/persistence/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestBed, type TestBed } from '../testing/open-test-console.js';

const FILE = `
admin: { email: Owner@Example.com, password: owner password }
wallets:
  - { name: acme, balance: "25.00" }
tokens:
  - { name: ci, wallet: acme, key: sk-key-of-the-ci-job }
`;

let bed: TestBed;
let directory: string;
let configPath: string;

beforeAll(async () => {
  bed = await makeTestBed();
});

afterAll(() => bed.stop());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'console-owners-'));
  configPath = join(directory, 'gateway.yaml');
  await writeFile(configPath, FILE);
});

afterEach(async () => {
  await bed.clear();
  await rm(directory, { recursive: true, force: true });
});

const open = () => bed.open({ configPath, bootstrap: null, environment: { SANDBOX_ENABLED: 'false' } });

describe('H3: a wallet of the file', () => {
  const withOwner = (wallets: string) => FILE.replace('  - { name: acme, balance: "25.00" }', wallets);
  const findWallet = async (name: string) => {
    const wallet = await bed.store.wallets.findByName(name);
    if (!wallet) throw new Error(`there is no wallet ${name}`);
    return wallet;
  };

  it('belongs to the user it names, with the tokens that the file puts on it', async () => {
    await writeFile(configPath, withOwner('  - { name: acme, user: OWNER@example.com }'));
    await open();
    const owner = await bed.store.users.findByEmail('owner@example.com');
    expect((await findWallet('acme')).userId).toBe(owner?.id);
    const caller = await findCallerToken(bed.database, sha256('sk-key-of-the-ci-job'));
    expect(caller).toMatchObject({ userId: owner?.id, disabled: false });
  });

  it('is given to a user later, and gateways are notified of it', async () => {
    const console = await open();
    const session = await console.login('owner@example.com', 'owner password');
    const body = { email: 'anna@example.com', password: 'password of anna', role: 'member', name: 'anna' };
    const { body: anna } = await console.call<{ id: string }>('POST', '/api/v1/users', { session, body });
    expect((await findWallet('acme')).userId).toBeNull();
    await writeFile(configPath, withOwner('  - { name: acme, user: anna@example.com }'));
    await expect.poll(async () => (await findWallet('acme')).userId).toBe(anna.id);
    const caller = await findCallerToken(bed.database, sha256('sk-key-of-the-ci-job'));
    expect(caller).toMatchObject({ userId: anna.id });
    const tokens = await console.call('GET', '/api/v1/tokens', {
      session: await console.login(body.email, body.password),
    });
    expect(tokens.text).toContain('"ci"');
  });

  it('counts against the limits and budgets of its user, which the file sets', async () => {
    const users = 'users:\n  - { email: OWNER@example.com, limits: { rpm: 7 }, budgets: { day: "3" } }\n';
    await writeFile(configPath, users + withOwner('  - { name: acme, user: owner@example.com }'));
    await open();
    const owner = await bed.store.users.findByEmail('owner@example.com');
    expect(owner).toMatchObject({ limits: { rpm: 7 }, budgets: { day: '3' } });
    const caller = await findCallerToken(bed.database, sha256('sk-key-of-the-ci-job'));
    expect(caller?.limits).toEqual([expect.objectContaining({ scope: 'user', limits: { rpm: 7 } })]);
  });

  it('is not applied together with limits of a user whom nobody knows', async () => {
    await writeFile(configPath, `${FILE}users:\n  - { email: nobody@example.com, limits: { rpm: 1 } }\n`);
    await expect(open()).rejects.toThrow('users[0].email: there is no user "nobody@example.com".');
  });

  it('of a user whom nobody knows is an error that names the field, and opens nothing', async () => {
    const wallets = '  - { name: acme, balance: "25.00" }\n  - { name: other, user: nobody@example.com }';
    await writeFile(configPath, withOwner(wallets));
    await expect(open()).rejects.toThrow('wallets[1].user: there is no user "nobody@example.com".');
    expect(await bed.store.wallets.findByName('acme')).toBeNull();
  });
});
