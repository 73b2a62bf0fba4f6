import { sha256 } from '@mg/contract';
import { expect, it } from 'vitest';
import { RedisScope } from '../access/redis-scope.js';
import { openBatchLine, signBatchLine } from './batch-line.js';

const scope = (secret: string) => new RedisScope({ redisUrl: '', secret, onRefused: () => undefined });
const OURS = scope('ours');
const PAYER = { keyHash: sha256('sk-key'), walletId: '01890000-0000-7000-8000-000000000000' };
const CALL = { path: '/v1/chat/completions', idempotencyKey: 'batch_1.1' };
const NOW = 1_700_000_000_000;

it('a line is admitted for its payer, its path and its key, for a minute', () => {
  const header = signBatchLine(OURS, PAYER, CALL, NOW);
  expect(openBatchLine(OURS, header, CALL, NOW + 59_000)).toEqual(PAYER);
  expect(openBatchLine(OURS, header, CALL, NOW + 61_000)).toBeUndefined();
  expect(openBatchLine(OURS, header, { ...CALL, path: '/v1/responses' }, NOW)).toBeUndefined();
  expect(openBatchLine(OURS, header, { ...CALL, idempotencyKey: 'batch_1.2' }, NOW)).toBeUndefined();
});

it('nobody else can write one', () => {
  const header = signBatchLine(OURS, PAYER, CALL, NOW);
  const other = { ...PAYER, walletId: '01890000-0000-7000-8000-000000000001' };
  expect(openBatchLine(scope('theirs'), header, CALL, NOW)).toBeUndefined();
  expect(openBatchLine(OURS, header.replace(PAYER.walletId, other.walletId), CALL, NOW)).toBeUndefined();
  for (const odd of ['', '...', 'sk-key', `${header}.`, header.slice(1)]) {
    expect(openBatchLine(OURS, odd, CALL, NOW)).toBeUndefined();
  }
});
