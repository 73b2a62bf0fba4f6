import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findReplyChannel, replyChannelOf } from './reply-channel.js';

describe('findReplyChannel', () => {
  it("is the asker's own channel for an addressed id", () => {
    const address = randomUUID();
    expect(findReplyChannel('billing', `${address}:17`)).toBe(replyChannelOf('billing', address));
  });

  it.each(['a1b2c3', '', ':1', `${randomUUID()}`, `${randomUUID()}:x`, 'billing.hold_open:1'])(
    'is left to Nest for "%s"',
    (id) => {
      expect(findReplyChannel('billing', id)).toBeUndefined();
    },
  );
});
