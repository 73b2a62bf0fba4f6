import { expect } from 'vitest';
import { KEYS } from '../deployment/credentials.js';
import { request } from '../clients/gateway-client.js';
import type { Attack, AttackTarget } from './attack.js';
import { type Fill, PAYLOADS } from './payloads.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { watchHealth } from './watch-health.js';

const MEBIBYTE = 1024 * 1024;
const AT_ONCE = 8;
/** The largest leaves room for what stands around the filling: 20 MB is the most that is read. */
const SIZES = { short: [1], full: [1, 10, 19.9] };
const ANSWERED_WITHIN_MS = 60_000;

const chat = (content: string) =>
  `{"model":"plain","max_tokens":16,"messages":[{"role":"user","content":${content}}]}`;

const BODIES: readonly (readonly [name: string, makeBody: Fill])[] = [
  ...Object.entries(PAYLOADS).map(([name, fill]) => [name, (bytes: number) => chat(fill(bytes))] as const),
  ['comments', (bytes) => `{${'/* a comment */\n'.repeat(bytes / 16)}"model":"plain"}`],
];

/** In their own protocol and converted; whatever an endpoint does not know of such a body, it refuses. */
const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/v1beta/models/plain:countTokens',
  '/v1/embeddings',
  '/v1/images/generations',
];

export const holdEventLoop: Attack = {
  threats: ['T25'],
  title: 'no body holds the event loop, whatever it is made of',
  timeoutMs: { short: 120_000, full: 1_800_000 },
  run: (target) =>
    watchHealth(target, async (runStep) => {
      for (const size of target.full ? SIZES.full : SIZES.short) {
        for (const [name, makeBody] of BODIES) {
          const body = Buffer.from(makeBody(size * MEBIBYTE));
          await runStep(`${size} MB of ${name}`, () => attack(body, target));
        }
      }
    }),
};

/** Sends a body to every endpoint, eight at a time. Refusals are answers too; nothing may be a failure of the gateway. */
async function attack(body: Buffer, { deployment, full }: AttackTarget): Promise<void> {
  const paths = PATHS.flatMap((path) => Array.from({ length: full ? 2 : 1 }, () => path));
  await forEachAtOnce(paths, AT_ONCE, async (path) => {
    const answer = await request(deployment, path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    }).catch((error: unknown) => {
      // A body that is refused before its end is not read to its end: the connection may break.
      if (error instanceof TypeError) return { status: 400 };
      throw error;
    });
    expect([200, 400, 402, 404, 413, 429, 503], `${path} was answered with ${answer.status}`).toContain(
      answer.status,
    );
  });
}
