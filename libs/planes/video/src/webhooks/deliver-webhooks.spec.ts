import type { Task } from '@mg/contract';
import type { WebhookDelivery } from '@mg/persistence/video';
import { deriveTaskKey } from '@mg/protocols';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { WebhookSender } from './deliver-webhooks.js';

const TASK = {
  id: 't',
  tokenId: 'k',
  publicId: 'task_1',
  apiVariant: 'generic',
  model: 'm',
  state: 'failed',
  createdAt: 0,
};

it('M5: webhooks that are due together are written and signed in a turn of the event loop each', async () => {
  let turn = 0;
  let timer = setImmediate(function count() {
    turn++;
    timer = setImmediate(count);
  });
  const limits: number[] = [];
  const begun: number[] = [];
  const failed: string[] = [];
  const worker = {
    deliveries: {
      claimDue: async ({ limit }: { limit: number }) => {
        limits.push(limit);
        return Array.from({ length: limit }, (_, at): WebhookDelivery => ({
          id: String(at),
          url: 'http://127.0.0.1:9/',
          event: 'task.failed',
          attempts: 0,
          task: TASK as unknown as Task,
        }));
      },
      recordFailed: async (id: string) => void failed.push(id),
    },
    trace: {
      step: (_task: unknown, _name: string, run: () => Promise<unknown>) => {
        begun.push(turn);
        return run();
      },
    },
    key: deriveTaskKey('a key of thirty-two characters...'),
    allowPrivateUrls: false,
    metrics: { webhooks: { inc: () => undefined } },
    logger: { warn: () => undefined },
  } as unknown as WorkerContext;
  const sender = new WebhookSender(worker);
  expect([await sender.sendDue(), await sender.sendDue()]).toEqual([true, true]);
  await sender.close();
  clearImmediate(timer);
  expect(limits.every((limit) => limit <= 25)).toBe(true);
  expect(failed.length).toBe(begun.length);
  expect(new Set(begun).size).toBe(begun.length);
});
