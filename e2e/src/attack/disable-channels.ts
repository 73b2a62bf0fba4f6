import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';

const CALLS = { short: 100, full: 5_000 };
const AT_ONCE = 16;

export const disableChannels: Attack = {
  threats: ['T24'],
  title: "errors that one caller makes leave everybody's channels as they were",
  timeoutMs: { short: 60_000, full: 180_000 },
  async run({ deployment, full }) {
    const models = ['error-400-context', 'error-400-policy', 'error-400-parameter', 'no-such-model'];
    const calls = Array.from({ length: full ? CALLS.full : CALLS.short }, (_, index) => index);
    await forEachAtOnce(calls, AT_ONCE, async (index) => {
      const { status } = await postChat(deployment, {
        model: models[index % models.length],
        messages: HELLO,
      });
      expect([400, 404]).toContain(status);
    });
    for (const model of ['plain', ...models.slice(0, 3)]) {
      const { status } = await postChat(
        deployment,
        { model, messages: HELLO },
        { authorization: `Bearer ${KEYS.rules}` },
      );
      expect(status, `${model} after the errors`).toBe(model === 'plain' ? 200 : 400);
    }
  },
};
