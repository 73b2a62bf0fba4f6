import { expect } from 'vitest';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const NO_ID = '00000000-0000-7000-8000-000000000000';
const ADMINISTRATION = [
  ['GET', '/users'],
  ['POST', '/users', { email: 'made@example.com', password: 'a long password', role: 'administrator' }],
  ['PATCH', `/users/${NO_ID}`, { role: 'administrator' }],
  ['GET', '/channels'],
  ['POST', '/channels', { name: 'made', type: 'openai', api_key: 'sk-x', models: {} }],
  ['PATCH', `/channels/${NO_ID}`, { base_url: 'https://example.com' }],
  ['POST', `/channels/${NO_ID}/test`, { model: 'plain' }],
  ['DELETE', `/channels/${NO_ID}`],
  ['GET', '/models'],
  ['PATCH', '/models/plain', { price: { input_per_million: '0' } }],
  ['PATCH', `/wallets/${NO_ID}`, { credit_limit: '1000' }],
  ['POST', `/wallets/${NO_ID}/topups`, { amount: '1000', note: '', idempotency_key: 'k' }],
  ['POST', '/redemption-codes', { amount: '1000', count: 1, note: '', expires_at: null }],
  ['GET', '/audit'],
  ['GET', '/settings'],
  ['GET', '/system'],
] as const;

export const actAsAdministrator: Attack = {
  threats: ['T4'],
  title: 'a member reaches no route of administrators, nor becomes one',
  async run({ deployment }) {
    const { member, memberId } = await createTwoUsers(deployment);
    for (const [method, path, body] of ADMINISTRATION) {
      expect((await member.call(method, path, body)).status, `${method} ${path}`).toBe(403);
    }
    expect((await member.call('PATCH', `/users/${memberId}`, { role: 'administrator' })).status).toBe(403);
    expect(await member.demand('GET', '/me')).toMatchObject({ role: 'member' });
  },
};
