import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.js';

describe('hashPassword', () => {
  it('is verified by the same password only, and never repeats itself', async () => {
    const [one, other] = await Promise.all([hashPassword('пароль 123'), hashPassword('пароль 123')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('пароль 123', one)).toBe(true);
    expect(await verifyPassword('пароль 124', one)).toBe(false);
  });

  it.each(['', 'none', 'пароль 123', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA'])(
    'is nothing that %j could be',
    async (hash) => {
      expect(await verifyPassword('пароль 123', hash)).toBe(false);
    },
  );
});
