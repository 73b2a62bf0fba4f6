import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';

/** The gateway does not know the model or the channel yet. */
const NOT_THERE_YET: ReadonlySet<number> = new Set([404, 503]);

export const callItself: Attack = {
  threats: ['T28'],
  title: 'a channel that points at the gateway is asked once, and then 508',
  async run({ deployment }) {
    const console = await ConsoleClient.asAdmin(deployment);
    const slug = `loop-${randomUUID()}`;
    await console.demand('POST', '/models', { slug, kind: 'chat', price: { per_request: '0.000001' } });
    const channel = await console.demand<{ id: string }>('POST', '/channels', {
      name: slug,
      type: 'openai-compatible',
      base_url: `${deployment.gatewayUrl}/v1`,
      api_key: KEYS.main,
      models: { [slug]: slug },
    });
    try {
      const ask = () => postChat(deployment, { model: slug, messages: HELLO });
      const answer = await waitUntil('the model and its channel', async () => {
        const asked = await ask();
        return !NOT_THERE_YET.has(asked.status) && asked;
      });
      expect([answer.status, answer.failure.detail.code]).toEqual([508, 'loop_detected']);
      expect((await ask()).status, 'the channel rests').toBe(508);
      const row = await waitUntil('the log', () => console.findLog(answer.headers.get('x-request-id') ?? ''));
      expect(row.attempts.map(({ outcome }) => outcome)).toEqual(['failed']);
      expect(row.cost).toBe('0');
    } finally {
      await console.demand('DELETE', `/channels/${channel.id}`);
    }
  },
};
