import type { Batch, LineRequest } from '@mg/persistence/video';
import { expect, it } from 'vitest';
import type { BatchContext } from './batch-context.js';
import { validateBatch } from './validate-batch.js';

const ENDPOINT = '/v1/chat/completions';
const BATCH = { id: 'b', walletId: 'w', api: 'batch', endpoint: ENDPOINT, details: { input_file_id: 'f' } };

it.each([
  ['many', 250, 'x', [100, 100, 50]],
  ['long', 10, 'x'.repeat(120_000), [5, 5, 0]],
])('lines that are %s are written a few at a time', async (_, count, said, expected) => {
  const lines = Array.from({ length: count }, (_line, at) =>
    JSON.stringify({ custom_id: `line-${at}`, method: 'POST', url: ENDPOINT, body: { said } }),
  );
  const written: number[] = [];
  const work = {
    clearLines: async () => undefined,
    addLines: async (_id: string, _first: number, requests: readonly LineRequest[]) =>
      void written.push(requests.length),
    begin: async (_id: string, total: number) => void written.push(total),
  };
  const files = {
    find: async () => ({}),
    async *read() {
      yield Buffer.from(lines.join('\n'));
    },
  };
  await validateBatch(BATCH as unknown as Batch, { work, files } as unknown as BatchContext);
  expect(written).toEqual([...expected, count]);
});
