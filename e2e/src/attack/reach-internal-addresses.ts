import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackTarget } from './attack.js';
import { startCanary } from './canary.js';

const COMPLETED_WITHIN_MS = 30_000;
/** Free calls have a share for each key. */
const POLL_EVERY_MS = 1_000;

/** Ways to write the loopback address and its neighbours. */
function listAddresses(port: number): readonly string[] {
  const hosts = [
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    'localhost.localdomain',
    '127.0.0.1.',
    'example.com@127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '100.64.0.1',
    '[fd00::1]',
  ];
  return hosts.flatMap((host) => [`http://${host}:${port}/x.png`, `https://${host}:${port}/x.png`]);
}

export const reachInternalAddresses: Attack = {
  threats: ['T8'],
  title: 'URLs of callers reach no address that is not public',
  async run(target) {
    const canary = await startCanary();
    const tasks: string[] = [];
    try {
      const others = ['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'data:,x'];
      for (const url of [...listAddresses(canary.port), ...others]) {
        const task = await orderVideo(target, url);
        if (task !== undefined) tasks.push(task);
        await askAboutDocument(target, url);
      }
      await waitUntil('the end of the videos', () => areCompleted(target, tasks), COMPLETED_WITHIN_MS);
      expect(canary.connections).toBe(0);
    } finally {
      await canary.close();
    }
  },
};

/** A callback is called when the video is done. Answers the task's id; `undefined` where it was refused at once. */
async function orderVideo({ deployment }: AttackTarget, callback: string): Promise<string | undefined> {
  const body = { model: 'video-native', prompt: 'a cat', callback_url: callback };
  const answer = await post(deployment.gatewayUrl, '/v1/video/generations', body);
  expect([200, 400], `a callback to ${callback}`).toContain(answer.status);
  return answer.status === 200 ? (JSON.parse(answer.text) as { id: string }).id : undefined;
}

async function areCompleted({ deployment }: AttackTarget, tasks: readonly string[]): Promise<boolean> {
  await sleep(POLL_EVERY_MS);
  const answers = await Promise.all(
    tasks.map((id) =>
      request(deployment, `/v1/video/generations/${id}`, {
        headers: { authorization: `Bearer ${KEYS.main}` },
      }),
    ),
  );
  return answers.every(({ text }) => (JSON.parse(text) as { status: string }).status === 'completed');
}

/** A document by URL that the channel takes only as bytes: the gateway would fetch it. */
async function askAboutDocument({ deployment }: AttackTarget, url: string): Promise<void> {
  await post(deployment.gatewayUrl, '/v1/messages', {
    model: 'plain',
    max_tokens: 5,
    messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url } }] }],
  });
}

function post(gatewayUrl: string, path: string, body: object) {
  return request({ gatewayUrl }, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
