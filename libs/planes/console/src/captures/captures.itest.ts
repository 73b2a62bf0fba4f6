import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, sha256 } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { Retention } from '@mg/persistence/billing';
import { findCallerToken, sealBody, writeCapturedBodies } from '@mg/persistence/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';

const HOUR_MS = 3_600_000;
const KEY = deriveSecretKey(ENCRYPTION_KEY);

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});
afterAll(() => bed.stop());

function call<Body = Record<string, unknown>>(method: string, path: string, body?: object) {
  return console.call<Body>(method, path, { session, body });
}

async function makeToken(): Promise<{ id: string; key: string }> {
  return (await call<{ id: string; key: string }>('POST', '/api/v1/tokens', { name: newId() })).body;
}

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function capture(tokenId: string, text: string, expiresAt = new Date(Date.now() + HOUR_MS)) {
  const requestId = newId();
  const place = { requestId, part: 'request' } as const;
  await writeCapturedBodies(bed.database, [
    {
      ...place,
      tokenId,
      expiresAt,
      contentType: 'application/json',
      bytes: text.length,
      truncated: false,
      sealed: sealBody(text, place, KEY),
    },
  ]);
  return requestId;
}

describe('bodies of calls', () => {
  it('are kept of a token that is set to it, for a while, and the gateway hears of it', async () => {
    const { id, key } = await makeToken();
    expect((await findCallerToken(bed.database, sha256(key)))?.capture).toBeUndefined();
    const until = inHours(24);
    const set = await call('PUT', `/api/v1/tokens/${id}/capture`, { until, keep_seconds: 3_600 });
    expect(set.body).toMatchObject({ capture: { until, keep_seconds: 3_600 } });
    expect(await findCallerToken(bed.database, sha256(key))).toMatchObject({
      capture: { seconds: 3_600, until: Date.parse(until) },
    });
    await call('DELETE', `/api/v1/tokens/${id}/capture`);
    expect((await findCallerToken(bed.database, sha256(key)))?.capture).toBeUndefined();
    const audit = await call<{ data: object[] }>('GET', `/api/v1/audit?action=token.capture&target_id=${id}`);
    expect(audit.body.data).toMatchObject([{ after: { capture: null } }, { after: { capture: { until } } }]);
  });

  it.each([-1, 24 * 8])('are not kept until %s hours from now', async (hours) => {
    const { id } = await makeToken();
    const { status } = await call('PUT', `/api/v1/tokens/${id}/capture`, { until: inHours(hours) });
    expect(status).toBe(400);
  });

  it('are listed without their text, and read with every look in the audit log', async () => {
    const { id } = await makeToken();
    const text = `{"secret thought":"${newId()}"}`;
    const requestId = await capture(id, text);
    const list = await call('GET', `/api/v1/captures?token_id=${id}`);
    expect(list.body).toMatchObject({ data: [{ request_id: requestId, parts: [{ part: 'request' }] }] });
    expect(list.text).not.toContain('secret thought');
    const rows = await bed.database.query('select * from captured_body');
    expect(JSON.stringify(rows)).not.toContain('secret thought');
    for (let look = 0; look < 2; look++) {
      const read = await call('GET', `/api/v1/captures/${requestId}`);
      expect(read.body).toMatchObject({ parts: [{ part: 'request', text }] });
    }
    const audit = await call<{ data: object[] }>('GET', `/api/v1/audit?action=capture.read`);
    expect(audit.body.data).toHaveLength(2);
    expect(audit.body.data[0]).toMatchObject({ actor_email: ADMIN.email, target_id: requestId });
  });

  it('are gone when their time is over, read or not', async () => {
    const { id } = await makeToken();
    const old = await capture(id, '{}', new Date(Date.now() - 1));
    const young = await capture(id, '{}');
    expect((await call('GET', `/api/v1/captures/${old}`)).status).toBe(404);
    expect(await new Retention(bed.database).expireCapturedBodies(10)).toBe(1);
    expect(
      await bed.database.query('select request_id from captured_body where token_id = $1', [id]),
    ).toEqual([{ request_id: young }]);
  });

  it('are kept as long as the configuration file says so', async () => {
    const path = join(bed.dataDirectory, 'capture.yaml');
    const key = 'sk-captured-by-the-file';
    const apply = async (line: string) => {
      await mkdir(bed.dataDirectory, { recursive: true });
      await writeFile(path, `tokens:\n- { name: file, wallet: main, key: ${key}${line} }\n`);
      const opened = await bed.open({ configPath: path });
      await opened.close();
      return (await findCallerToken(bed.database, sha256(key)))?.capture;
    };
    expect(await apply(', capture: 24h')).toEqual({ seconds: 86_400, until: undefined });
    expect(await apply('')).toBeUndefined();
  });
});
