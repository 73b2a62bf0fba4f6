import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findReplyChannel, replyChannelOf } from './reply-channel.js';

describe('findReplyChannel', () => {
  it('is the channel of the client that the id names', () => {
    const clientId = randomUUID();
    expect(findReplyChannel('billing', `${clientId}:17`)).toBe(replyChannelOf('billing', clientId));
  });

  it.each(['a1b2c3', '', ':1', `${randomUUID()}`, `${randomUUID()}:x`, 'billing.hold_open:1'])(
    'is none for "%s"',
    (id) => {
      expect(findReplyChannel('billing', id)).toBeUndefined();
    },
  );
});
