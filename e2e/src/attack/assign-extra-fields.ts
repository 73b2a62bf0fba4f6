import { expect } from 'vitest';
import type { TokenRow, WalletRow } from '../clients/console-client.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const EXTRAS: readonly Readonly<Record<string, unknown>>[] = [
  { balance: '1000' },
  { held: '-1000' },
  { role: 'administrator' },
  { user_id: '00000000-0000-7000-8000-000000000000' },
  { owner: { role: 'administrator' } },
  { spent: '-1000' },
  { key: 'sk-of-the-attackers-choice' },
  { id: '00000000-0000-7000-8000-000000000000' },
  { credit_limit: '1000' },
];

export const assignExtraFields: Attack = {
  threats: ['T5'],
  title: 'fields that a caller may not set are refused by name',
  async run({ deployment }) {
    const { member, administrator, memberId } = await createTwoUsers(deployment);
    const [token] = await member.list<TokenRow>('/tokens');
    for (const extra of EXTRAS) {
      const [name = ''] = Object.keys(extra);
      const created = await member.call<{ detail?: { param?: string } }>('POST', '/tokens', {
        name: 'x',
        ...extra,
      });
      const changed = await member.call('PATCH', `/tokens/${token?.id}`, extra);
      // Keys of others are made by administrators and owners of projects alone; whose a key is never changes.
      expect([created.status, changed.status], `the field ${name}`).toEqual([
        name === 'user_id' ? 403 : 400,
        400,
      ]);
      expect(JSON.stringify(created.body)).toContain(name);
    }
    const wallets = await member.list<WalletRow>('/wallets');
    expect(wallets.map(({ balance }) => balance)).toEqual(['0']);
    expect(await administrator.demand('GET', `/users/${memberId}`)).toMatchObject({ role: 'member' });
  },
};
