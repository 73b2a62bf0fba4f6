import { parseUsd } from '@mg/contract';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import type { Attack } from './attack.js';

const LIARS = ['usage-never', 'usage-null', 'usage-negative', 'usage-fractional', 'usage-huge', 'usage-text'];

export const lieAboutUsage: Attack = {
  threats: ['T16'],
  title: 'usage that cannot be true is neither negative nor free, and a model without a price is refused',
  async run({ deployment }) {
    for (const model of LIARS) {
      const answer = await postChat(deployment, { model, messages: HELLO, max_tokens: 50 });
      expect(answer.status, `the model ${model}`).toBe(200);
      const cost = parseUsd(answer.headers.get('x-gateway-cost') ?? '');
      expect(cost > 0n && cost < parseUsd('0.01'), `${model} cost ${cost}`).toBe(true);
    }
    const unpriced = await postChat(deployment, { model: 'unpriced', messages: HELLO });
    expect(unpriced.status).toBe(404);
    const console = await ConsoleClient.asAdmin(deployment);
    for (const price of ['-1', '1e3', 'NaN', '99999999999999999999', '0.0000000001', '1,5']) {
      const { status } = await console.call('PATCH', '/models/priced', {
        price: { input_per_million: price },
      });
      expect(status, `the price ${price}`).toBe(400);
    }
  },
};
