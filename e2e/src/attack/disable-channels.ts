import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';

const CALLS = { short: 100, full: 5_000 };
const AT_ONCE = 16;
/** What upstreams say of a request, and of a file or a tool's server that it names. */
const REFUSED = [
  'error-400-context',
  'error-400-policy',
  'error-400-parameter',
  'error-403-file',
  'error-404-file',
  'error-424',
];

interface SystemReport {
  readonly planes: readonly { readonly plane: string; readonly seen_at: string }[];
  readonly channels: readonly { readonly resting: readonly { readonly model: string }[] }[];
}

export const disableChannels: Attack = {
  threats: ['T24'],
  title: "errors that one caller makes leave everybody's channels as they were",
  timeoutMs: { short: 60_000, full: 180_000 },
  async run({ deployment, full }) {
    const models = [...REFUSED, 'no-such-model'];
    const calls = Array.from({ length: full ? CALLS.full : CALLS.short }, (_, index) => index);
    await forEachAtOnce(calls, AT_ONCE, async (index) => {
      const { status } = await postChat(deployment, {
        model: models[index % models.length],
        messages: HELLO,
      });
      expect([400, 404]).toContain(status);
    });
    for (const model of ['plain', ...REFUSED]) {
      const { status } = await postChat(
        deployment,
        { model, messages: HELLO },
        { authorization: `Bearer ${KEYS.rules}` },
      );
      expect(status, `${model} after the errors`).toBe(model === 'plain' ? 200 : 400);
    }
    const leftOut = await findLeftOut(deployment);
    expect(leftOut.filter((model) => models.includes(model))).toEqual([]);
  },
};

/** Models for which a channel or a key is left out, by what the gateway reports from now on. */
async function findLeftOut(deployment: Deployment): Promise<string[]> {
  const administrator = await ConsoleClient.asAdmin(deployment);
  const since = Date.now();
  const { channels } = await waitUntil('the gateway reports', async () => {
    const report = await administrator.demand<SystemReport>('GET', '/system');
    const isNew = report.planes.some(
      ({ plane, seen_at }) => plane === 'gateway' && Date.parse(seen_at) > since,
    );
    return isNew && report;
  });
  return channels.flatMap(({ resting }) => resting.map(({ model }) => model));
}
