import { sha256 } from '@mg/contract';
import { BatchGateway, RedisScope } from '@mg/transport';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { knowModel } from './ask-stage.js';
import { type StageFleet, startStageFleet } from './stage-fleet.js';

const PATH = '/v1/chat/completions';

let fleet: StageFleet;
let worker: BatchGateway;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: 'off' });
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
