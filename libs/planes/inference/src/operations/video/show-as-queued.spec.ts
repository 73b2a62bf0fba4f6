import { expect, it } from 'vitest';
import { showAsQueued } from './show-as-queued.js';

/** What is shown of an order whose task cannot be read. */
function show(order: object): string {
  const task = { order: Buffer.from(JSON.stringify(order)), deadlineSeconds: 60 };
  return showAsQueued({ task, price: { versionId: 'v' }, amount: 1n } as unknown as Parameters<
    typeof showAsQueued
  >[0]).order;
}

it('C1: shows what a short order says, and parses none of megabytes', () => {
  expect(show({ prompt: 'a cat' })).toBe('{"prompt":"a cat"}');
  expect(show({ prompt: 'a cat', image: `data:image/png;base64,${'A'.repeat(64 * 1024)}` })).toBe('');
});
