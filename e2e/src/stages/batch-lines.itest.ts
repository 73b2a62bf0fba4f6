import { newId, omitUndefined, sha256 } from '@mg/contract';
import { BatchGateway, RedisScope } from '@mg/transport';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { knowModel } from './ask-stage.js';
import { CHATS, NativeLines, type NativeWay } from './native-lines.js';
import { type Caller, CHOSEN_LEASES, type StageFleet, startStageFleet } from './stage-fleet.js';

const PATH = '/v1/chat/completions';

let fleet: StageFleet;
let worker: BatchGateway;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: [CHOSEN_LEASES] });
  const [row] = await fleet.query<{ redis_secret: string }>('select redis_secret from installation');
  const scope = new RedisScope({
    redisUrl: '',
    secret: row?.redis_secret ?? '',
    onRefused: () => undefined,
  });
  worker = new BatchGateway(scope, fleet.gatewayUrl, 1);
});
afterAll(async () => {
  await worker.close();
  await fleet.stop();
});

it('a line whose worker was lost is answered the same and charged once, and its answer is kept encrypted', async () => {
  const caller = await fleet.addCaller(2, ['stage-line']);
  await knowModel(fleet, caller);
  const { key, walletId, tokenId, model } = caller;
  const send = () =>
    worker.send(
      {
        payer: { keyHash: sha256(key), walletId },
        path: PATH,
        idempotencyKey: 'batch_1.1',
        headers: {},
        body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
      },
      AbortSignal.timeout(30_000),
    );
  const first = await send();
  const again = await send();
  expect(first.status).toBe(200);
  expect(again).toEqual(first);
  expect(fleet.upstream.calls.filter((call) => call.model === 'stage-line')).toHaveLength(1);

  const kept = await fleet.query('select status, body, sealed from idempotent_reply where token_id = $1', [
    tokenId,
  ]);
  expect(kept).toEqual([{ status: 200, body: null, sealed: expect.stringMatching(/^v1\./) }]);

  const charges = await waitUntil('the charge', async () => {
    const rows = await fleet.query<{ request_id: string }>(
      `select request_id from entry where wallet_id = $1 and kind = 'charge'`,
      [walletId],
    );
    return rows.length > 0 && rows;
  });
  expect(charges).toEqual([{ request_id: first.requestId }]);
});

const PRICE = '100000000';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 1, service_tier: 'batch' },
};
const CLAUDE = { type: 'anthropic', upstreamModel: 'claude-haiku-4-5', answer: MESSAGE };
const MESSAGES: NativeWay = { ...CLAUDE, path: '/v1/messages' };
const GENERATED = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 },
  modelVersion: 'gemini-2.5-flash',
};
const GOOGLE = { type: 'gemini', upstreamModel: 'gemini-2.5-flash', answer: GENERATED };
const GENERATE = '/models/gemini-2.5-flash:generateContent';
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const WAYS: readonly (readonly [string, NativeWay, sent: string, answered: object])[] = [
  [
    'contents go to Google as they are',
    { ...GOOGLE, path: '/v1beta/models/{model}:generateContent', body: CONTENTS },
    GENERATE,
    GENERATED,
  ],
  [
    'messages go to Google, converted',
    { ...GOOGLE, path: '/v1/messages' },
    GENERATE,
    { type: 'message', content: [{ type: 'text', text: 'Hi' }] },
  ],
  ['messages go to Anthropic as they are', MESSAGES, '/messages', MESSAGE],
  [
    'chat completions go to Anthropic, converted',
    { ...CLAUDE, path: '/v1/chat/completions' },
    '/messages',
    { object: 'chat.completion', choices: [{ message: { content: 'Hi' } }] },
  ],
  [
    'messages go to OpenAI, converted',
    { ...CHATS, path: '/v1/messages' },
    '/chat/completions',
    { type: 'message', content: [{ type: 'text', text: 'Hi' }] },
  ],
];

const callAs = (
  { key }: Caller,
  path: string,
  body: string | FormData,
  headers: Record<string, string> = {},
) =>
  fetch(fleet.gatewayUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...omitUndefined({ 'content-type': typeof body === 'string' ? 'application/json' : undefined }),
      ...headers,
    },
    body,
  });

async function uploadFile(caller: Caller): Promise<string> {
  const form = new FormData();
  form.set('purpose', 'user_data');
  form.set('file', new File(['what is asked'], 'in.txt', { type: 'text/plain' }));
  const uploaded = await callAs(caller, '/v1/files', form);
  return ((await uploaded.json()) as { id: string }).id;
}

describe('a line that a provider carries out', () => {
  it('is held for in the name of its batch, whatever becomes of the gateway, and charged once', async () => {
    const lines = await NativeLines.open(fleet, worker, 5);
    const id = newId();
    const held = await lines.hold(id);
    expect(held.hold.granted).toBe(PRICE);
    await lines.waitForHeld(PRICE);
    // Neither a sweep nor the end of a process ends it.
    expect(await fleet.query('select sweep(100)')).toEqual([]);
    const [kept] = await fleet.query(
      `select state, owner_instance, owner_epoch, expires_at > now() + interval '1 day' as is_long from hold where id = $1`,
      [id],
    );
    expect(kept).toEqual({ state: 'open', owner_instance: 'batch', owner_epoch: 'batch_1', is_long: true });

    const first = await lines.settle(id, held);
    const again = await lines.settle(id, held);
    expect(first).toMatchObject({ status: 200, requestId: id });
    expect(again).toEqual(first);
    await lines.waitForHeld('0');
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
    expect(fleet.upstream.calls.filter(({ model }) => model === lines.caller.model)).toEqual([]);
    const [row] = await waitUntil('the row in the log', async () => {
      const rows = await fleet.query(
        `select reason, channel, usage->>'tier' as tier from request_log where request_id = $1`,
        [id],
      );
      return rows.length > 0 && rows;
    });
    expect(row).toMatchObject({ reason: 'completed', tier: 'batch' });
  });

  it.each([
    ['was disabled', 'disabled = true'],
    ['was deleted', 'deleted_at = now()'],
    ['is another one', `key_hash = key_hash || '0'`],
  ])('is charged although its key %s meanwhile, but no other is held for', async (_what, change) => {
    const lines = await NativeLines.open(fleet, worker, 5);
    const [id, released] = [newId(), newId()];
    const held = await lines.hold(id);
    await lines.hold(released);
    expect((await lines.confirm(id)).status).toBe(204);
    await fleet.query(`update token set ${change} where id = $1`, [lines.caller.tokenId]);
    // One that is let in yet is not held for: it is answered that a batch is in progress.
    await waitUntil('the change', async () => (await lines.prepare(newId(), [held.route])).status === 401);
    // What has not been sent yet is not to be.
    expect((await lines.confirm(id)).status).toBe(401);
    expect((await lines.settle(id, held)).status).toBe(200);
    expect((await lines.release(released)).status).toBe(204);
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
    await lines.waitForHeld('0');
  });

  it.each([
    ['the same', undefined],
    ['another', 1],
  ])(
    'is charged although its caller has sent %s call under its Idempotency-Key',
    async (_what, max_tokens) => {
      const lines = await NativeLines.open(fleet, worker, 5);
      const id = newId();
      const held = await lines.hold(id);
      const body = JSON.stringify({
        ...(JSON.parse(lines.request) as object),
        ...omitUndefined({ max_tokens }),
      });
      const called = await callAs(lines.caller, PATH, body, { 'idempotency-key': lines.keyOf(id) });
      expect(called.status).toBe(200);
      expect(await lines.settle(id, held)).toMatchObject({ status: 200, requestId: id });
      const charged = (await lines.readCharges(2)).map(({ request_id }) => request_id);
      expect(charged.toSorted()).toEqual([id, called.headers.get('x-request-id') ?? ''].toSorted());
    },
  );

  it('is charged although the model that its key stands for is another one, and the file that it names is gone', async () => {
    const lines = await NativeLines.open(fleet, worker, 1);
    const { tokenId, model } = lines.caller;
    const file_id = await uploadFile(lines.caller);
    await fleet.query('update token set default_model = $2 where id = $1', [tokenId, model]);
    const content = [{ type: 'file', file: { file_id } }];
    lines.asked = { model: 'of-another-maker', messages: [{ role: 'user', content }] };
    const id = newId();
    const held = await waitUntil('the default model', () => lines.hold(id).catch(() => undefined));
    await fleet.query('update token set default_model = null where id = $1', [tokenId]);
    await waitUntil('the change', async () => (await lines.prepare(newId(), [held.route])).status === 404);
    await fetch(`${fleet.gatewayUrl}/v1/files/${file_id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${lines.caller.key}` },
    });
    // Nothing is left of the wallet beside what is held.
    expect(await lines.settle(id, held)).toMatchObject({ status: 200, requestId: id });
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
  });

  it('is charged although its model was disabled meanwhile', async () => {
    const lines = await NativeLines.open(fleet, worker, 1);
    const id = newId();
    const held = await lines.hold(id);
    await fleet.query(`update model set state = 'disabled' where slug = $1`, [lines.caller.model]);
    await waitUntil('the change', async () => (await lines.prepare(newId(), [held.route])).status === 404);
    expect(await lines.settle(id, held)).toMatchObject({ status: 200, requestId: id });
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
    await lines.waitForHeld('0');
  });

  it('is charged by the model that answered, whatever its channel calls the same slug by now', async () => {
    const lines = await NativeLines.open(fleet, worker, 1);
    const { model } = lines.caller;
    const id = newId();
    const held = await lines.hold(id);
    // It is asked in another wire format.
    const upstreamModel = 'codex-mini-latest';
    await fleet.query('update channel set models = jsonb_build_object($1::text, $2::text) where id = $3', [
      model,
      upstreamModel,
      held.route.channelId,
    ]);
    const routes = [held.route, { ...held.route, upstreamModel }];
    await waitUntil('the change', async () => {
      const { native } = await lines.prepare(newId(), routes);
      return native?.kind === 'busy' && native.route.upstreamModel === upstreamModel;
    });
    expect(await lines.settle(id, held)).toMatchObject({ status: 200, requestId: id });
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
  });

  it('is charged later where the database does not say what it was held for', async () => {
    const lines = await NativeLines.open(fleet, worker, 2);
    const [id, released] = [newId(), newId()];
    const held = await lines.hold(id);
    await lines.hold(released);
    await fleet.query('alter table channel rename column priority to away');
    const first = await lines
      .settle(id, held)
      .finally(() => fleet.query('alter table channel rename column away to priority'));
    expect(first.status).toBe(503);
    // Given back after that settlement: were its hold given back too, none would stand.
    await lines.release(released);
    await lines.waitForHeld(PRICE);
    expect(await lines.settle(id, held)).toMatchObject({ status: 200, requestId: id });
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
  });

  it('costs nothing where it was refused, released or lost; what was lost is waste', async () => {
    const lines = await NativeLines.open(fleet, worker, 3);
    const [refused, released, lost] = [newId(), newId(), newId()];
    const heldOfRefused = await lines.hold(refused);
    await lines.hold(released);
    const heldOfLost = await lines.hold(lost);
    // The wallet covers three lines.
    expect((await lines.prepare(newId())).status).toBe(402);

    const error = { error: { message: 'no', type: 'invalid_request_error', param: 'messages', code: null } };
    const answer = await lines.settle(refused, heldOfRefused, 400, error);
    expect(answer).toMatchObject({ status: 400, requestId: refused });
    expect((await lines.release(released)).status).toBe(204);
    expect((await lines.release(released)).status).toBe(204);
    expect((await lines.release(lost, heldOfLost)).status).toBe(204);
    await lines.waitForHeld('0');
    // What was given up is not held for again, nor charged.
    expect((await lines.prepare(released)).status).toBe(409);
    const waste = await waitUntil('the waste', async () => {
      const rows = await fleet.query<{ reason: string }>(
        'select request_id, reason from waste where request_id = $1',
        [lost],
      );
      return rows.length > 0 && rows;
    });
    expect(waste).toEqual([{ request_id: lost, reason: 'failed' }]);
    expect(await lines.readCharges(0)).toEqual([]);
    await lines.hold(newId());
  });

  it.each(WAYS)('of a batch: %s, and is charged once', async (_what, way, sent, answered) => {
    const lines = await NativeLines.open(fleet, worker, 2, way);
    const id = newId();
    const { native, bytes } = await lines.prepare(id);
    if (native?.kind !== 'native') throw new Error('nothing is held');
    expect(native.endpoint).toBe(sent);
    const { upstreamModel: model } = way;
    const wanted = sent === GENERATE ? CONTENTS : { model, messages: [{ role: 'user' }] };
    expect(JSON.parse(String(bytes))).toMatchObject(wanted);
    const answer = await lines.settle(id, native);
    expect(await lines.settle(id, native)).toEqual(answer);
    expect(answer).toMatchObject({ status: 200, requestId: id });
    expect(JSON.parse(String(answer.bytes))).toMatchObject(answered);
    expect(await lines.readCharges(1)).toEqual([{ request_id: id, amount: `-${PRICE}` }]);
    await lines.waitForHeld('0');
  });

  it.each([
    ['a provider cannot carry it', async () => ({ type: 'url', url: 'https://files.invalid/a.pdf' })],
    [
      'it is converted, and names a file that may be gone when it is settled',
      async ({ caller }: NativeLines) => ({ type: 'file', file_id: await uploadFile(caller) }),
    ],
  ])('is made as a call where %s, and nothing is held', async (_what, name) => {
    const lines = await NativeLines.open(fleet, worker, 2, { ...CHATS, path: '/v1/messages' });
    const { model } = lines.caller;
    const messages = [{ role: 'user', content: [{ type: 'document', source: await name(lines) }] }];
    const request = JSON.stringify({ model, max_tokens: 50, messages });
    expect((await lines.prepare(newId(), [], request)).native).toEqual({ kind: 'none' });
    await lines.waitForHeld('0');
  });

  it('is none that a caller can ask for', async () => {
    const { key, model } = await fleet.addCaller(1, ['plain']);
    const step = JSON.stringify({ kind: 'release', requestId: newId() });
    const forged = await fetch(fleet.gatewayUrl + PATH, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-gateway-native-step': step,
        'x-gateway-batch-line': `${Date.now()}.${sha256(key)}.${newId()}.${'a'.repeat(43)}`,
        'idempotency-key': 'batch_1.1',
      },
      body: JSON.stringify({ model }),
    });
    expect(forged.status).toBe(401);
  });
});
