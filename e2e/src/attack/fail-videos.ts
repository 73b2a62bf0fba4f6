import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';

const TASKS = { short: 4, full: 60 };
const AT_ONCE = 6;
const OK = 200;
const UNAVAILABLE = 503;
const SETTLED_WITHIN_MS = 60_000;
/** Free calls have a share for each key. */
const POLL_EVERY_MS = 500;

export const failVideos: Attack = {
  threats: ['T20'],
  title: 'a video that fails is refunded once, however often it is asked for',
  timeoutMs: { short: 90_000, full: 180_000 },
  async run({ deployment, full }) {
    deployment.jobs.script('seedance-that-fails', { polls: ['failed'] });
    const headers = { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' };
    const requestIds: string[] = [];
    const orders = Array.from({ length: full ? TASKS.full : TASKS.short }, (_, index) => `cat ${index}`);
    await forEachAtOnce(orders, AT_ONCE, async (prompt) => {
      const order = async () => {
        const made = await request(deployment, '/v1/video/generations', {
          method: 'POST',
          headers,
          body: JSON.stringify({ model: 'video-fails', prompt, duration: 5 }),
        });
        // On a busy machine billing may answer too late: as clients do, it is asked again.
        expect([OK, UNAVAILABLE]).toContain(made.status);
        return made.status === OK && made;
      };
      const made = await waitUntil('the order', order, SETTLED_WITHIN_MS);
      requestIds.push(made.headers.get('x-request-id') ?? '');
      const { id } = JSON.parse(made.text) as { id: string };
      const poll = async () => {
        await sleep(POLL_EVERY_MS);
        const polled = await Promise.all(
          [1, 2, 3].map(() => request(deployment, `/v1/video/generations/${id}`, { headers })),
        );
        return polled.every(({ text }) => (JSON.parse(text) as { status: string }).status === 'failed');
      };
      await waitUntil('the failure', poll, SETTLED_WITHIN_MS);
    });
    const console = await ConsoleClient.asAdmin(deployment);
    const wallet = await console.findWallet('main');
    const entries = await console.listEntries(wallet.id);
    for (const id of requestIds) {
      const kinds = entries.filter(({ request_id }) => request_id === id).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['charge', 'refund']);
    }
  },
};
