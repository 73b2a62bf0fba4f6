import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient, type TokenRow } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

const WITHIN_MS = 1_000;
const PAST = '2020-01-01T00:00:00Z';

export const useRevokedKeys: Attack = {
  threats: ['T31'],
  title: 'a key that was deleted, disabled, rotated, expired or restricted stops within a second',
  async run({ deployment }) {
    const console = await ConsoleClient.asAdmin(deployment);
    const wallet = await console.findWallet('main');
    const endings: readonly (readonly [number, (id: string) => Promise<unknown>])[] = [
      [401, (id) => console.demand('DELETE', `/tokens/${id}`)],
      [401, (id) => console.demand('PATCH', `/tokens/${id}`, { disabled: true })],
      [401, (id) => console.demand('POST', `/tokens/${id}/rotate`)],
      [401, (id) => console.demand('PATCH', `/tokens/${id}`, { expires_at: PAST })],
      [403, (id) => console.demand('PATCH', `/tokens/${id}`, { allowed_models: ['flat'] })],
    ];
    for (const [status, end] of endings) {
      const token = await console.demand<TokenRow>('POST', '/tokens', {
        name: `to be ended ${randomUUID()}`,
        wallet_id: wallet.id,
      });
      expect(await ask(deployment, token.key)).toBe(200);
      await end(token.id);
      await waitUntil(`a ${status}`, async () => (await ask(deployment, token.key)) === status, WITHIN_MS);
    }
    expect(await ask(deployment, KEYS.disabled)).toBe(401);
    expect(await ask(deployment, KEYS.expired)).toBe(401);
  },
};

async function ask(deployment: Deployment, key: string | undefined): Promise<number> {
  const body = { model: 'plain', messages: HELLO };
  return (await postChat(deployment, body, { authorization: `Bearer ${key}` })).status;
}
