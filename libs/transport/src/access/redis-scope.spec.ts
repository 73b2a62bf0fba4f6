import { describe, expect, it } from 'vitest';
import { RedisScope, type RefusedMessage } from './redis-scope.js';

const NOW_MS = 1_763_700_000_000;
const [CHANNEL, TEXT] = ['billing.top_up', '{"amount":"1","note":"a.b\\nc"}'];

function openScope(secret: string) {
  const refused: RefusedMessage[] = [];
  const scope = new RedisScope({
    redisUrl: 'redis://cache',
    secret,
    onRefused: (reason) => refused.push(reason),
  });
  return { scope, refused };
}

describe('F12: a message over Redis', () => {
  const { scope } = openScope('one');
  const message = scope.sign(CHANNEL, TEXT, NOW_MS);

  it('is read as it was sent, within a minute of either clock', () => {
    const { scope: other, refused } = openScope('one');
    for (const skewMs of [-60_000, 0, 60_000]) {
      expect(other.open(CHANNEL, message, NOW_MS + skewMs)).toBe(TEXT);
    }
    expect(refused).toEqual([]);
  });

  it.each<[RefusedMessage, string, string, number]>([
    ['malformed', 'was never signed', TEXT, NOW_MS],
    ['malformed', 'is empty', '', NOW_MS],
    ['forged', 'was altered', message.replace('"1"', '"9"'), NOW_MS],
    ['forged', 'was given another time', message.replace(String(NOW_MS), String(NOW_MS + 1)), NOW_MS],
    ['forged', 'is of another installation', openScope('two').scope.sign(CHANNEL, TEXT, NOW_MS), NOW_MS],
    ['forged', 'was sent to another channel', scope.sign('billing.ping', TEXT, NOW_MS), NOW_MS],
    ['expired', 'is repeated later', message, NOW_MS + 60_001],
    ['expired', 'comes from a clock that is far ahead', message, NOW_MS - 60_001],
  ])('is refused as %s when it %s', (reason, _how, text, nowMs) => {
    const { scope: receiver, refused } = openScope('one');
    expect(receiver.open(CHANNEL, text, nowMs)).toBeUndefined();
    expect(refused).toEqual([reason]);
  });

  it('has a name that reveals nothing of the secret', () => {
    const secret = '0123456789abcdef0123456789abcdef';
    expect(openScope(secret).scope.name('x')).toMatch(/^mg:[0-9a-f]{16}:x$/);
    expect(openScope(secret).scope.name('x')).not.toContain(secret.slice(0, 8));
    expect(openScope('one').scope.prefix).not.toBe(openScope('two').scope.prefix);
  });
});
