import { createHmac } from 'node:crypto';
import { type AttemptFigures, newId, parseUsd, readEnvironment } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { writeAttempts } from '@mg/persistence/gateway';
import { createMetrics, type Logger } from '@mg/runtime';
import { seedPayer } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ADMIN,
  ENCRYPTION_KEY,
  makeTestBed,
  type OpenConsole,
  type TestBed,
} from '../testing/open-test-console.js';
import { AlertDispatcher } from './alert-dispatcher.js';
import { AlertDestinations } from './alert-destinations.js';
import { AlertSender } from './alert-sender.js';
import { AlertWatch } from './alert-watch.js';
import {
  type MailServer,
  receiveMail,
  receiveWebhooks,
  type WebhookReceiver,
} from './testing/receive-messages.js';

let bed: TestBed;
let console: OpenConsole;
let session: string;
let receiver: WebhookReceiver;
let mail: MailServer;

beforeEach(async () => {
  bed = await makeTestBed();
  receiver = await receiveWebhooks();
  mail = await receiveMail();
  console = await bed.open({ environment: addresses() });
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterEach(async () => {
  await bed.stop();
  await Promise.all([receiver.close(), mail.close()]);
});

function addresses(): Record<string, string> {
  return { ALERT_WEBHOOK_URL: receiver.url, SMTP_URL: `smtp://127.0.0.1:${mail.port}` };
}

const SILENT = { warn: () => undefined } as unknown as Logger;

/** What a console plane runs beside its API: another one each time, as after a restart. */
function startConsole(variables = addresses(), clearForMs = 0) {
  const environment = readEnvironment(variables);
  const { store } = bed;
  const destinations = new AlertDestinations(environment, deriveSecretKey(ENCRYPTION_KEY), ENCRYPTION_KEY);
  const watch = new AlertWatch({ store, destinations, logger: SILENT, clearForMs });
  const sender = new AlertSender(store, destinations);
  const dispatcher = new AlertDispatcher(store, sender, SILENT, createMetrics('console', environment));
  return { watch, dispatcher, destinations };
}

async function lookAndSend(): Promise<void> {
  const { watch, dispatcher } = startConsole();
  await watch.look();
  await dispatcher.sendDue();
}

function call<Body = Record<string, unknown>>(method: string, path: string, body?: object) {
  return console.call<Body>(method, path, { session, body });
}

/** A wallet that a key has spent from, with so much left. */
async function makeWallet(left: string): Promise<string> {
  const price = { input_per_million: '1' };
  const payer = await seedPayer(bed.database, { balance: parseUsd(left), price });
  await bed.database.query('update token set used = 1 where id = $1', [payer.tokenId]);
  return payer.walletId;
}

const setBalance = (id: string, usd: string) =>
  bed.database.query('update wallet set balance = $2 where id = $1', [id, parseUsd(usd).toString()]);

const listTypes = () => receiver.received.map(({ body }) => body.type);

describe('alerts', () => {
  it('reports once that a wallet is empty, after restarts too, and once that it is filled again', async () => {
    const wallet = await makeWallet('0.5');
    await makeWallet('100');
    for (let round = 0; round < 3; round++) await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired']);
    expect(receiver.received[0]?.body).toMatchObject({
      text: expect.stringContaining('0.5 USD left'),
      data: { kind: 'wallet_balance', subject: wallet, facts: { balance: '0.5', below: '1' } },
    });
    expect(mail.mails).toHaveLength(1);
    expect(mail.mails[0]).toContain('has 0.5 USD left');
    expect(mail.recipients).toEqual([ADMIN.email]);
    await setBalance(wallet, '20');
    for (let round = 0; round < 3; round++) await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired', 'alert.resolved']);
    await setBalance(wallet, '0');
    await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired', 'alert.resolved', 'alert.fired']);
    const { body } = await call<{ data: object[] }>('GET', '/api/v1/alerts?state=open');
    expect(body.data).toMatchObject([
      {
        kind: 'wallet_balance',
        subject: wallet,
        deliveries: [{ state: 'delivered' }, { state: 'delivered' }],
      },
    ]);
  });

  it('go by the threshold of a wallet that has one', async () => {
    const rich = await makeWallet('20');
    const poor = await makeWallet('0.5');
    const threshold = (id: string, usd: string | null) =>
      call('PATCH', `/api/v1/wallets/${id}`, { alert_below: usd });
    const listOpen = async () => {
      await startConsole().watch.look();
      const { body } = await call<{ data: { subject: string; facts: object }[] }>(
        'GET',
        '/api/v1/alerts?state=open',
      );
      return body.data.map(({ subject, facts }) => [subject, facts]);
    };
    expect((await threshold(rich, '25')).body).toMatchObject({ alert_below: '25' });
    await threshold(poor, '0.25');
    expect(await listOpen()).toEqual([[rich, expect.objectContaining({ balance: '20', below: '25' })]]);
    await threshold(rich, null);
    await threshold(poor, null);
    await listOpen();
    expect(await listOpen()).toEqual([[poor, expect.objectContaining({ balance: '0.5', below: '1' })]]);
    expect((await threshold(rich, '-1')).status).toBe(400);
    const audit = await call<{ data: object[] }>('GET', `/api/v1/audit?target_id=${rich}`);
    expect(audit.body.data).toMatchObject([
      { action: 'wallet.update', before: { alert_below: '25' }, after: { alert_below: null } },
      { action: 'wallet.update', before: { alert_below: null }, after: { alert_below: '25' } },
    ]);
  });

  it('of what comes and goes make one alert', async () => {
    const wallet = await makeWallet('0.5');
    const { watch } = startConsole(addresses(), 60_000);
    for (const left of ['0.5', '20', '0.5', '20']) {
      await setBalance(wallet, left);
      await watch.look();
    }
    expect(await bed.database.query('select event from alert_delivery where via = $1', ['webhook'])).toEqual([
      { event: 'fired' },
    ]);
  });

  it('are looked for by one console at a time', async () => {
    await makeWallet('0.5');
    await Promise.all(Array.from({ length: 5 }, () => startConsole().watch.look()));
    expect(await bed.database.query('select kind from alert')).toHaveLength(1);
  });

  it('are signed over id, time and body', async () => {
    await makeWallet('0.5');
    await lookAndSend();
    const [first] = receiver.received;
    const { secrets } = (await call<{ secrets: string[] }>('GET', '/api/v1/alerts/secret')).body;
    const key = Buffer.from((secrets[0] ?? '').replace('whsec_', ''), 'base64');
    const {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = first?.headers ?? {};
    const mac = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${first?.text}`)
      .digest('base64');
    expect(signature).toBe(`v1,${mac}`);
    const audit = await call<{ data: object[] }>('GET', '/api/v1/audit?action=alert_secret.read');
    expect(audit.body.data).toHaveLength(1);
  });

  it('are tried again until they are taken, with the same id', async () => {
    await makeWallet('0.5');
    receiver.status = 503;
    await lookAndSend();
    await lookAndSend();
    expect(receiver.received).toHaveLength(1);
    receiver.status = 204;
    await bed.database.query('update alert_delivery set next_attempt_at = now() where delivered_at is null');
    await lookAndSend();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    await lookAndSend();
    expect(receiver.received).toHaveLength(2);
  });

  it('fire for a budget at 80 and at 100 per cent, and of its next period nothing', async () => {
    const wallet = await makeWallet('50');
    const setSpent = (spent: string, reached: number, until = '1 day') =>
      bed.database.query(
        `update budget set spent = $1, reached = $2, ends_at = now() + $3::interval where subject_id = $4`,
        [parseUsd(spent).toString(), reached, until, wallet],
      );
    await bed.database.query(`update wallet set budgets = '{"day": "10"}' where id = $1`, [wallet]);
    for (const [spent, reached] of [
      ['5', 0],
      ['8', 80],
      ['9', 80],
      ['10', 100],
    ] as const) {
      await setSpent(spent, reached);
      await lookAndSend();
    }
    expect(listTypes()).toEqual(['alert.fired', 'alert.changed']);
    expect(receiver.received[1]?.body.data).toMatchObject({ level: 'reached', subject: `${wallet}/day` });
    await setSpent('10', 100, '-1 second');
    await lookAndSend();
    await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired', 'alert.changed', 'alert.resolved']);
  });

  it('fire for a channel that fails until it serves again, and not merely is hardly asked', async () => {
    const name = `channel-${newId()}`;
    const made = { name, type: 'openai', api_key: 'sk-provider-key-of-the-test' };
    const { id } = (await call<{ id: string }>('POST', '/api/v1/channels', made)).body;
    const count = (served: number, failed: number) =>
      writeAttempts(bed.database, [countAttempts(id, served, failed)]);
    // However much others serve.
    await writeAttempts(bed.database, [countAttempts(newId(), 1_000_000, 0)]);
    await count(1, 4);
    await lookAndSend();
    expect(listTypes()).toEqual([]);
    await count(0, 4);
    await lookAndSend();
    expect(receiver.received.map(({ body }) => body.data)).toMatchObject([
      { kind: 'channel_failing', facts: { name, failed: 8, served: 1, reason: 'status 503: overloaded' } },
    ]);
    await bed.database.query(`update attempt_figures set starts_at = starts_at - interval '25 minutes'`);
    for (let round = 0; round < 2; round++) await lookAndSend();
    // It is left out, and asked by a probe now and then.
    await count(0, 2);
    for (let round = 0; round < 3; round++) await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired']);
    await count(3, 0);
    for (let round = 0; round < 2; round++) await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired', 'alert.resolved']);
    await count(0, 9);
    await lookAndSend();
    await call('PATCH', `/api/v1/channels/${id}`, { enabled: false });
    for (let round = 0; round < 2; round++) await lookAndSend();
    expect(listTypes().slice(2)).toEqual(['alert.fired', 'alert.resolved']);
  });

  it('fire for drift and for usage that is not charged', async () => {
    await bed.database.query(
      `insert into plane_report (plane, instance, version, started_at, details)
       values ('billing', 'one', '1', now(), '{"drift_rows": 2}')`,
    );
    await bed.database.query(
      `insert into usage_journal (request_id, seq, phase, usage, created_at)
       values ($1, 0, 'usage', '{}', now() - interval '5 minutes')`,
      [newId()],
    );
    await lookAndSend();
    expect(receiver.received.map(({ body }) => body.data['kind']).toSorted()).toEqual([
      'ledger_drift',
      'queue_age',
    ]);
    // While no billing reports, nobody knows whether the books agree.
    await bed.database.query(`delete from plane_report`);
    for (let round = 0; round < 2; round++) await lookAndSend();
    expect(listTypes()).toEqual(['alert.fired', 'alert.fired']);
  });

  it('are not sent of what is switched off', async () => {
    await makeWallet('0.5');
    await call('PATCH', '/api/v1/alerts/settings', { rules: { wallet_balance: { enabled: false } } });
    await lookAndSend();
    expect(receiver.received).toEqual([]);
    const raised = { rules: { wallet_balance: { enabled: true, below: '0.1' } } };
    const { body } = await call('PATCH', '/api/v1/alerts/settings', raised);
    expect(body).toMatchObject({
      rules: { wallet_balance: { enabled: true, below: '0.1' }, queue_age: { seconds: 60 } },
    });
    await lookAndSend();
    expect(receiver.received).toEqual([]);
  });
});

describe('where alerts go', () => {
  it('is stored sealed, shown without its secrets, audited, and takes the place of the environment', async () => {
    const secret = 'secret-path-of-the-hook';
    const { status, body, text } = await call('PATCH', '/api/v1/alerts/settings', {
      webhook_url: `https://hooks.example.com/${secret}`,
      smtp_url: `smtps://ops:${secret}@mail.example.com`,
      email_to: ['ops@example.com'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      webhook: { source: 'console', address: 'https://hooks.example.com' },
      email: { source: 'console', address: 'smtps://mail.example.com' },
      email_to: ['ops@example.com'],
    });
    const audit = await call('GET', '/api/v1/audit?action=alert_settings.change');
    const rows = await bed.database.query('select * from alert_setting');
    for (const shown of [text, audit.text, JSON.stringify(rows)]) expect(shown).not.toContain(secret);
    const { destinations } = startConsole();
    expect(destinations.open(await bed.store.alerts.readSettings())).toMatchObject({
      webhook: { url: `https://hooks.example.com/${secret}` },
      email: { from: 'model-gateway@mail.example.com', to: ['ops@example.com'] },
    });
    const back = await call('PATCH', '/api/v1/alerts/settings', { webhook_url: null, smtp_url: null });
    expect(back.body).toMatchObject({
      webhook: { source: 'environment', address: receiver.url.replace('/hook', '') },
    });
  });

  it('is refused where it is no address', async () => {
    for (const change of [
      { webhook_url: 'ftp://example.com' },
      { webhook_url: 'https://user:password@example.com' },
      { smtp_url: 'https://example.com' },
      { email_to: ['nobody'] },
    ]) {
      expect((await call('PATCH', '/api/v1/alerts/settings', change)).status).toBe(400);
    }
  });

  it('is tried at once, and may not be a private address where the Console names it', async () => {
    const sent = await call('POST', '/api/v1/alerts/test', {});
    expect(sent.body).toMatchObject({
      results: [
        { via: 'webhook', ok: true },
        { via: 'email', ok: true },
      ],
    });
    expect(listTypes()).toEqual(['alert.test']);
    await call('PATCH', '/api/v1/alerts/settings', {
      webhook_url: receiver.url.replace('http:', 'https:'),
      smtp_url: `smtp://localhost:${mail.port}`,
    });
    const refused = await call('POST', '/api/v1/alerts/test', {});
    expect(refused.body).toMatchObject({
      results: [
        { via: 'webhook', ok: false, message: 'leads to no public address' },
        { via: 'email', ok: false, message: 'leads to no public address' },
      ],
    });
    expect(mail.mails).toHaveLength(1);
  });
});

function countAttempts(channelId: string, served: number, failed: number): AttemptFigures {
  const lastFailure =
    failed === 0 ? undefined : { at: new Date(), status: 503, reason: 'status 503: overloaded' };
  return { channelId, model: 'gpt', key: '', served, failed, wholeMs: [], firstMs: [], lastFailure };
}
