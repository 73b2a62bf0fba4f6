import { newId, type TaskMoneyPort, type TaskOpenRequest } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { expect, it, vi } from 'vitest';
import { storeOrders } from './store-orders.js';

it('C1: the driver is given an order as bytes, which it copies: it would encode a text of megabytes in one step', async () => {
  const order = Buffer.from('{"prompt":"a cat"}');
  const query = vi.fn<(sql: string, values: unknown[]) => Promise<unknown[]>>(async () => []);
  const money = { openTask: async () => ({ granted: 1n }) } as unknown as TaskMoneyPort;
  const id = newId();
  const request = { task: { id, order } } as unknown as TaskOpenRequest;
  await storeOrders(money, { query } as unknown as DataSource).openTask(request);
  expect(query).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`convert_from($2::bytea, 'UTF8')`), [
    id,
    order,
    null,
  ]);
});
