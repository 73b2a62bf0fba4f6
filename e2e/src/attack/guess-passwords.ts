import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const GUESSES = { short: 12, full: 60 };

export const guessPasswords: Attack = {
  threats: ['T11'],
  title: 'guessing is slowed down, tells nothing, and locks nobody else out',
  timeoutMs: { short: 60_000, full: 180_000 },
  async run({ deployment, full }) {
    const { administrator, memberEmail } = await createTwoUsers(deployment);
    const guess = async (email: string) => {
      const response = await fetch(`${deployment.consoleUrl}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: `guess ${randomUUID()}` }),
      });
      return { status: response.status, body: (await response.text()).replaceAll(/[0-9a-f-]{36}/g, 'id') };
    };
    const [known, unknown] = [await guess(memberEmail), await guess('nobody@example.com')];
    expect(known, 'an account is told apart from none').toEqual(unknown);
    const statuses = new Set<number>();
    for (let count = 0; count < (full ? GUESSES.full : GUESSES.short); count += 1) {
      statuses.add((await guess(memberEmail)).status);
    }
    expect([...statuses].every((status) => status === 401 || status === 429)).toBe(true);
    expect(await administrator.demand('GET', '/me'), 'a session that is open').toBeTruthy();
    expect((await ConsoleClient.login(deployment)).jwt, 'a login of somebody else').not.toBe('');
  },
};
