import { newId } from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, type Payer, seedPayer, type StatementRunner } from '@mg/testkit';
import { toHoldColumns } from '../../money/hold-decision.js';
import { deriveSecretKey, sealSecret } from '../../secrets/seal-secret.js';

export const ENCRYPTION_KEY = 'encryption-key-of-the-upgrade-test';
const OWNER = { instance: 'gateway-of-before', epoch: 'one' };
const COST = 2_000_000n;
/** What the version before writes for its kinds of channels. */
const SECRETS = {
  keys: ['sk-old-1', 'sk-old-2'],
  settings: { region: 'us-east-1', secret_access_key: 'old-secret' },
};

/** The statements of the version before this one, as it sent them: its schema is that of the fourth migration. */
export class PreviousVersion {
  readonly requests: string[] = [];
  readonly channelIds: string[] = [];

  private constructor(
    private readonly database: StatementRunner,
    readonly payer: Payer,
  ) {}

  /** With wallets, open holds, entries, usage that waits, tasks in progress and ended, and channels with secrets. */
  static async withData(database: StatementRunner): Promise<PreviousVersion> {
    const payer = await seedPayer(database, { balance: 1_000_000_000_000n, quota: 900_000_000_000n });
    const before = new PreviousVersion(database, payer);
    await before.makeChannel('keys-alone', JSON.stringify(SECRETS.keys));
    await before.makeChannel('with-settings', JSON.stringify(SECRETS));
    for (let index = 0; index < 20; index += 1) {
      const id = await before.openHold();
      if (index % 2 === 0) await before.writeUsage(id);
      if (index % 4 === 0) await before.post(id);
    }
    for (const step of ['created', 'submitted', 'running', 'succeeded', 'failed'] as const) {
      await before.openTask(step);
    }
    return before;
  }

  /** One of everything that its planes do all day. Rejects when one statement fails. */
  async serveOnce(): Promise<void> {
    const id = await this.openHold();
    await this.writeUsage(id);
    await this.post(id);
    await this.answerOnce(id);
    await this.openTask('succeeded');
    await this.readCatalog();
    await this.changeSecret();
  }

  async openHold(): Promise<string> {
    const request = buildHoldRequest(this.payer, {
      wanted: COST,
      minimum: COST,
      ttlSeconds: 3_600,
      owner: OWNER,
    });
    const question = JSON.stringify([{ place: 0, ...toHoldColumns(request) }]);
    const rows = await this.#query('select * from hold_open_many($1::jsonb)', [question]);
    if (rows[0]?.['granted'] === null) throw new Error(`refused: ${JSON.stringify(rows)}`);
    this.requests.push(request.id);
    return request.id;
  }

  async writeUsage(id: string): Promise<void> {
    await this.#query(
      `insert into usage_journal (request_id, seq, phase, usage, estimated)
       select request_id, seq, phase, usage, estimated
         from jsonb_to_recordset($1::jsonb)
           as r(request_id uuid, seq integer, phase text, usage jsonb, estimated boolean)
       on conflict do nothing`,
      [JSON.stringify([{ request_id: id, seq: 0, phase: 'usage', usage: USAGE, estimated: false }])],
    );
    await this.#query(
      `insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, channel,
              status, stream, latency_ms, usage, cost, estimated, reason, attempts)
       values ($1, now(), $2, $3, 'test', $4, $5, 'chat', 'keys-alone', 200, false, 5, $6, $7, false, 'stop', '[]')
       on conflict do nothing`,
      [
        id,
        this.payer.userId,
        this.payer.tokenId,
        this.payer.walletId,
        this.payer.model,
        USAGE,
        COST.toString(),
      ],
    );
  }

  async post(id: string): Promise<void> {
    await this.#query(
      `select j.request_id from usage_journal j left join hold h on h.id = j.request_id
        where j.request_id = $1 and j.posted_at is null for update of j skip locked`,
      [id],
    );
    const row = {
      request_id: id,
      seq: 0,
      phase: 'usage',
      charge: COST.toString(),
      usage: USAGE,
      estimated: false,
    };
    const outcomes = await this.#query('select * from post_batch($1::jsonb)', [JSON.stringify([row])]);
    if (outcomes[0]?.['outcome'] !== 'posted') throw new Error(`not posted: ${JSON.stringify(outcomes)}`);
  }

  async openTask(until: 'created' | 'submitted' | 'running' | 'succeeded' | 'failed'): Promise<void> {
    const { hold, task } = buildTaskRequest(this.payer, { task: { order: Buffer.from('a cat') } });
    await this.#query('insert into task_order (task_id, order_text) values ($1, $2) on conflict do nothing', [
      task.id,
      task.order,
    ]);
    const columns = {
      public_id: task.publicId,
      face: task.apiVariant,
      user_id: task.userId,
      order_text: '',
      seconds: task.seconds,
      price_variant: null,
      callback_url: 'https://example.com/hook',
      deadline_seconds: task.deadlineSeconds,
    };
    await this.#query('select * from task_open($1::jsonb, $2::jsonb)', [
      JSON.stringify(toHoldColumns(hold)),
      JSON.stringify(columns),
    ]);
    if (until === 'created') return;
    await this.#query(
      `update task set state = 'submitted', upstream_id = 'job', submitted_at = now() where id = $1`,
      [task.id],
    );
    await this.#query('select task_charge($1)', [task.id]);
    if (until === 'submitted') return;
    await this.#query(`update task set state = 'running', progress = 40 where id = $1`, [task.id]);
    if (until === 'running') return;
    await this.#query('select * from task_end($1, $2, null, null, null, null, null, $3)', [
      task.id,
      until,
      'done',
    ]);
    await this.#query(
      `with hidden as (
         update task t set hidden_at = now()
          where t.public_id = $1 and t.user_id = $2 and t.hidden_at is null and is_task_end(t.state)
         returning t.id
       ) select id from hidden`,
      [task.publicId, task.userId],
    );
  }

  async answerOnce(id: string): Promise<void> {
    await this.#query(
      `insert into idempotent_reply (token_id, key, fingerprint, request_id, owner_instance, owner_epoch)
       values ($1, $2::text, 'f', $2::text::uuid, $3, $4) on conflict do nothing returning 1 as claimed`,
      [this.payer.tokenId, id, OWNER.instance, OWNER.epoch],
    );
    await this.#query(
      `update idempotent_reply set status = 200, headers = '{}', body = 'x', completed_at = now()
        where token_id = $1 and key = $2 and status is null`,
      [this.payer.tokenId, id],
    );
    await this.#query(
      `delete from task_order o where o.task_id = $1 and not exists (select from task t where t.id = $1)`,
      [id],
    );
  }

  async makeChannel(name: string, secrets: string): Promise<void> {
    const id = newId();
    this.channelIds.push(id);
    await this.#query(`insert into channel (id, name, type, models) values ($1, $2, 'bedrock', $3)`, [
      id,
      name,
      JSON.stringify({ [this.payer.model]: name }),
    ]);
    const sealed = sealSecret(secrets, id, deriveSecretKey(ENCRYPTION_KEY));
    await this.#query(
      `insert into channel_secret (channel_id, sealed_keys, hints) values ($1, $2, '{sk-...old}')`,
      [id, sealed],
    );
  }

  async readCatalog(): Promise<void> {
    const rows = await this.#query(
      `select c.id, c.name, c.type, c.base_url, c.models, c.settings, c.priority, c.weight, c.timeouts, s.sealed_keys
         from channel c left join channel_secret s on s.channel_id = c.id where c.enabled order by c.name`,
    );
    if (rows.some((row) => typeof row['sealed_keys'] !== 'string'))
      throw new Error('a channel lost its secrets');
  }

  async changeSecret(): Promise<void> {
    await this.#query('update channel set updated_at = now() where id = $1', [this.channelIds[0]]);
    await this.#query(
      `insert into channel_secret (channel_id, sealed_keys, hints)
       select channel_id, sealed_keys, hints from channel_secret where channel_id = $1
       on conflict (channel_id) do update set sealed_keys = excluded.sealed_keys, hints = excluded.hints`,
      [this.channelIds[0]],
    );
  }

  async #query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.database.query(sql, values)) as Record<string, unknown>[];
  }
}

const USAGE = JSON.stringify({ input_tokens: 5, output_tokens: 7 });
