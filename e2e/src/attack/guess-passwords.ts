import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { ADMIN } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const GUESSES = { short: 12, full: 60 };

export const guessPasswords: Attack = {
  threats: ['T11'],
  title: 'guessing is slowed down, reveals nothing, and locks nobody else out',
  timeoutMs: { short: 60_000, full: 180_000 },
  async run({ deployment, full }) {
    const { administrator, memberEmail, memberPassword } = await createTwoUsers(deployment);
    const login = (email: string, password: string, cookie = '') =>
      fetch(`${deployment.consoleUrl}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ email, password }),
      });
    const guess = async (email: string) => {
      const response = await login(email, `guess ${randomUUID()}`);
      return { status: response.status, body: (await response.text()).replaceAll(/[0-9a-f-]{36}/g, 'id') };
    };
    const device = (await login(memberEmail, memberPassword)).headers.get('set-cookie')?.split(';')[0];
    const [known, unknown] = [await guess(memberEmail), await guess('nobody@example.com')];
    expect(known, 'an account is told apart from none').toEqual(unknown);
    const statuses = new Set<number>();
    for (let count = 0; count < (full ? GUESSES.full : GUESSES.short); count += 1) {
      statuses.add((await guess(memberEmail)).status);
    }
    expect([...statuses].toSorted(), 'guesses are slowed down').toEqual([401, 429]);
    const owner = await login(memberEmail, memberPassword, device);
    expect(owner.status, 'the owner on a device of their own').toBe(200);
    expect(await administrator.demand('GET', '/me'), 'a session that is open').toBeTruthy();
    expect((await ConsoleClient.login(deployment, ADMIN)).jwt, 'a login of somebody else').not.toBe('');
  },
};
