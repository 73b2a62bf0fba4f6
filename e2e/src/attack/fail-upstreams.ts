import { formatUsd } from '@mg/contract';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

const CALLS = { short: 5, full: 100 };

export const failUpstreams: Attack = {
  threats: ['T19'],
  title: 'a call that goes on to another channel is charged once, for the answer that was delivered',
  async run({ deployment, full }) {
    const console = await ConsoleClient.asAdmin(deployment);
    const ids: string[] = [];
    for (let call = 0; call < (full ? CALLS.full : CALLS.short); call += 1) {
      const answer = await postChat(deployment, { model: 'failover', messages: HELLO });
      expect(answer.status).toBe(200);
      const delivered = deployment.upstream.calls.at(-1);
      expect(answer.headers.get('x-gateway-cost')).toBe(delivered && formatUsd(expectedCost(delivered)));
      ids.push(answer.headers.get('x-request-id') ?? '');
    }
    const wallet = await console.findWallet('main');
    await waitUntil('one charge for each call', async () => {
      const entries = await console.listEntries(wallet.id);
      const charges = ids.map((id) => entries.filter(({ request_id }) => request_id === id).length);
      expect(Math.max(...charges), 'a call was charged twice').toBeLessThanOrEqual(1);
      return charges.every((count) => count === 1);
    });
  },
};
