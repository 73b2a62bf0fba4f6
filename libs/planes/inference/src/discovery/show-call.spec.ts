import { type CallerToken, NO_USAGE, usageToRow } from '@mg/contract';
import type { CallerAccount } from '@mg/persistence/gateway';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showCall } from './show-call.js';

const ID = '0199a1b2-0000-7000-8000-000000000001';
const ROW = {
  requestId: ID,
  createdAt: new Date(0),
  model: 'sonnet',
  askedModel: 'claude-opus-4-1',
  endpoint: '/v1/messages',
  status: 200,
  stream: true,
  usage: usageToRow({ ...NO_USAGE, inputTokens: 7 }),
  cost: 1_500n,
  walletId: 'own',
};
const caller = (walletId: string) => ({ walletId }) as CallerToken;

let asked = 0;
let writtenAfter = 0;
const account = {
  findCall: async ({ walletId }: CallerToken, id: string) =>
    asked++ >= writtenAfter && id === ID && walletId === ROW.walletId ? ROW : null,
} as unknown as CallerAccount;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 });
  asked = 0;
  writtenAfter = 0;
});
afterEach(() => vi.useRealTimers());

it('reports what a call cost, and both names of its model', async () => {
  expect(await showCall(caller('own'), ID, account)).toMatchObject({
    request_id: ID,
    model: 'sonnet',
    asked_model: 'claude-opus-4-1',
    cost: '0.0000015',
    usage: { input_tokens: 7 },
  });
});

it('waits for the row of a call that has just ended', async () => {
  writtenAfter = 1;
  expect(await showCall(caller('own'), ID, account)).toMatchObject({ request_id: ID });
});

it.each([
  ['another wallet', 'other', ID],
  ['nobody', 'own', ID.replace(/1$/, '2')],
  ['no id', 'own', "x' or true --"],
])('finds no call of %s', async (_of, wallet, id) => {
  const refusal = { code: 'not_found', param: 'request_id' };
  await expect(showCall(caller(wallet), id, account)).rejects.toMatchObject(refusal);
});
