import { newApiKey, newId, sha256 } from '@mg/contract';
import { findCallerToken, followChanges, writeRequestLog } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { TokenView } from '../tokens/token-view.js';
import { ANSWERED_CALL } from '../testing/answered-call.js';

type Keyed = TokenView & { readonly key: string };

let bed: TestBed;
let console: OpenConsole;
let changes: { close(): Promise<void> };
const announced: string[] = [];
const sessions = { admin: '', second: '', member: '' };
const users = { second: '', member: '' };
let memberWallet: string;

async function makeUser(name: 'second' | 'member', role: string): Promise<void> {
  const [email, password] = [`${name}@example.com`, `password of ${name}`];
  const { body } = await console.call<{ id: string }>('POST', '/api/v1/users', {
    session: sessions.admin,
    body: { email, password, role, name },
  });
  users[name] = body.id;
  sessions[name] = await console.login(email, password);
}

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  sessions.admin = await console.login(ADMIN.email, ADMIN.password);
  await makeUser('second', 'administrator');
  await makeUser('member', 'member');
  const { body } = await console.call<{ data: { id: string }[] }>('GET', '/api/v1/wallets', {
    session: sessions.member,
  });
  memberWallet = body.data[0]?.id ?? '';
  await new Promise<void>((connected) => {
    changes = followChanges(bed.databaseUrl, {
      catalogChanged: () => undefined,
      tokenChanged: (keyHash) => announced.push(keyHash),
      connected,
      failed: (error) => expect.unreachable(error.message),
    });
  });
});

afterAll(async () => {
  await changes.close();
  await bed.stop();
});

async function mint(session: string, body: object): Promise<Keyed> {
  const { status, body: token } = await console.call<Keyed>('POST', '/api/v1/tokens', { session, body });
  expect(status).toBe(201);
  return token;
}

const setRole = (id: string, role: string) =>
  console.call('PATCH', `/api/v1/users/${id}`, { session: sessions.admin, body: { role } });

const knownToGateway = ({ key }: Keyed) => findCallerToken(bed.database, sha256(key));

describe('M1: a key that an administrator made on the wallet of a member', () => {
  it('is seen, changed and ended by the owner of the wallet, with its calls', async () => {
    const { id, key } = await mint(sessions.second, {
      name: 'by the administrator',
      wallet_id: memberWallet,
    });
    const caller = await knownToGateway({ key } as Keyed);
    // Its calls are the owner's, whoever made the key.
    expect(caller).toMatchObject({ userId: users.member, walletId: memberWallet });
    const requestId = newId();
    await writeRequestLog(bed.database, [
      {
        requestId,
        createdAt: new Date(),
        userId: caller?.userId ?? '',
        tokenId: id,
        tokenName: 'by the administrator',
        walletId: memberWallet,
        model: 'm',
        ...ANSWERED_CALL,
      },
    ]);
    const session = sessions.member;
    for (const path of ['tokens', 'logs']) {
      const { text } = await console.call('GET', `/api/v1/${path}`, { session });
      expect(text).toContain(id);
    }
    expect((await console.call('GET', `/api/v1/logs/${requestId}`, { session })).status).toBe(200);
    const usage = await console.call('GET', '/api/v1/usage?group_by=token', { session });
    expect(usage.text).toContain(id);
    const disabled = await console.call('PATCH', `/api/v1/tokens/${id}`, {
      session,
      body: { disabled: true },
    });
    expect(disabled.body).toMatchObject({ disabled: true });
    const rotated = await console.call<Keyed>('POST', `/api/v1/tokens/${id}/rotate`, { session });
    expect(rotated.body).toMatchObject({ user_id: users.member, wallet_id: memberWallet });
    expect((await console.call('DELETE', `/api/v1/tokens/${id}`, { session })).status).toBe(204);
  });

  it('is disabled with the rights of whoever made it, at once, and their own keys are not', async () => {
    const second = sessions.second;
    const foreign = await mint(second, { name: 'foreign', wallet_id: memberWallet });
    const own = await mint(second, { name: 'own' });
    const owners = await mint(sessions.member, { name: 'of the owner' });
    expect((await setRole(users.second, 'member')).status).toBe(200);
    await expect.poll(() => announced.includes(sha256(foreign.key))).toBe(true);
    expect(await knownToGateway(foreign)).toMatchObject({ disabled: true });
    expect(await knownToGateway(own)).toMatchObject({ disabled: false });
    expect(await knownToGateway(owners)).toMatchObject({ disabled: false });
    // It is nobody's to bring back but the owner's.
    const path = `/api/v1/tokens/${foreign.id}`;
    const body = { disabled: false };
    expect((await console.call('PATCH', path, { session: second, body })).status).toBe(404);
    expect((await console.call('POST', `${path}/rotate`, { session: second })).status).toBe(404);
    expect((await console.call('GET', '/api/v1/tokens', { session: second })).text).not.toContain('foreign');
    const audit = await console.call('GET', '/api/v1/audit', { session: sessions.admin });
    expect(audit.text).toContain('"disabled_tokens":["foreign"]');
    expect((await console.call('PATCH', path, { session: sessions.member, body })).status).toBe(200);
    await setRole(users.second, 'administrator');
  });

  it('of the configuration file goes over to another administrator', async () => {
    const key = newApiKey();
    const foreign = await mint(sessions.second, { name: 'declared', wallet_id: memberWallet });
    await bed.database.query('update token set declared = true, key_hash = $2 where id = $1', [
      foreign.id,
      sha256(key),
    ]);
    await setRole(users.second, 'member');
    expect(await knownToGateway({ key } as Keyed)).toMatchObject({ disabled: false });
    const [row] = await bed.database.query('select user_id from token where id = $1', [foreign.id]);
    expect(row.user_id).not.toBe(users.second);
    await setRole(users.second, 'administrator');
  });

  it('is not left behind by one who is demoted while making it', async () => {
    const session = sessions.second;
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        console.call<Keyed>('POST', '/api/v1/tokens', {
          session,
          body: { name: `race ${index}`, wallet_id: memberWallet },
        }),
      ),
      setRole(users.second, 'member'),
    ]);
    const made = answers.filter(({ body }) => 'key' in body).map(({ body }) => body as Keyed);
    for (const token of made) expect(await knownToGateway(token)).toMatchObject({ disabled: true });
    const { text } = await console.call('GET', '/api/v1/wallets', { session });
    expect(text).not.toContain(memberWallet);
    await setRole(users.second, 'administrator');
  });

  it('stops with its owner', async () => {
    const foreign = await mint(sessions.admin, { name: 'of a disabled owner', wallet_id: memberWallet });
    announced.length = 0;
    await console.call('PATCH', `/api/v1/users/${users.member}`, {
      session: sessions.admin,
      body: { disabled: true },
    });
    await expect.poll(() => announced.includes(sha256(foreign.key))).toBe(true);
    expect(await knownToGateway(foreign)).toMatchObject({ disabled: true });
  });
});
