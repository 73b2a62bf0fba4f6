import { describe, expect, it } from 'vitest';
import { PasswordHasher, verifyPassword } from './password-hash.js';

const passwords = new PasswordHasher();

describe('a password', () => {
  it('is verified by the same password only, and never repeats itself', async () => {
    const [one, other] = await Promise.all([passwords.hash('пароль 123'), passwords.hash('пароль 123')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('пароль 123', one)).toBe(true);
    expect(await verifyPassword('пароль 124', one)).toBe(false);
  });

  it('has one that is nobody’s, in the format and at the cost of all others', async () => {
    const cost = (hash: string) => hash.split('$').slice(1, 4);
    expect(cost(passwords.nobodys)).toEqual(cost(await passwords.hash('пароль 123')));
    expect(passwords.nobodys).toHaveLength((await passwords.hash('пароль 123')).length);
    expect(await verifyPassword('', passwords.nobodys)).toBe(false);
  });

  it.each(['', 'none', 'пароль 123', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA'])(
    'is nothing that %j could be',
    async (hash) => {
      expect(await verifyPassword('пароль 123', hash)).toBe(false);
    },
  );
});
