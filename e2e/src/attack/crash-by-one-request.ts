import { expect } from 'vitest';
import { postChat, request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { createRandom } from '../create-random.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { exchangeBytes } from './raw-http.js';

const HEAD = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ';
const SIZES = { short: 300, full: 20_000 };
/** A key that is refused so often is slowed down: at full size many must wait at once, or the attack would take minutes. */
const AT_ONCE = { short: 16, full: 128 };

/** Bytes by which other servers were ended. */
const CORPUS: readonly string[] = [
  `GET / HTTP/1.1\r\nhost: x\r\n__proto__: x\r\nconnection: close\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\nhost: x\r\nconstructor: x\r\nconnection: close\r\n\r\n`,
  `QUERY /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  `GET /docs/%00 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  `GET /%ff%fe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  `GET /v1/models/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  `${HEAD}${KEYS.main}\r\ncontent-type: multipart/form-data; boundary=\r\ncontent-length: 4\r\n\r\n----`,
  `${HEAD}${KEYS.main}\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"model"`,
  `${HEAD}${KEYS.main}\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nffffffffffffffff\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

export const crashByOneRequest: Attack = {
  threats: ['T12'],
  title: 'no request ends the process or is answered with a 500',
  timeoutMs: { short: 60_000, full: 240_000 },
  async run({ deployment, full }) {
    for (const url of [deployment.gatewayUrl, deployment.consoleUrl]) {
      for (const bytes of CORPUS)
        expect(await exchangeBytes(url, bytes), `the answer to ${bytes}`).not.toMatch(/HTTP\/1\.1 500/);
    }
    const random = createRandom(12);
    const valid = JSON.stringify({ model: 'plain', messages: HELLO, stream: false, n: 1, max_tokens: 8 });
    const bodies = Array.from({ length: full ? SIZES.full : SIZES.short }, () => mutate(valid, random));
    await forEachAtOnce(bodies, full ? AT_ONCE.full : AT_ONCE.short, async (body) => {
      const { status } = await postChat(deployment, body);
      expect(status, `the answer to ${body}`).not.toBe(500);
    });
    expect((await request(deployment, '/healthz')).status).toBe(200);
  },
};

/** Replaces, removes or doubles some characters. */
function mutate(text: string, random: () => number): string {
  let changed = text;
  const changes = 1 + Math.floor(random() * 3);
  for (let change = 0; change < changes; change += 1) {
    const at = Math.floor(random() * changed.length);
    const pieces = ['', '"', '{', ']', ',', '\\', '\u0000', '\ud800', '1e999', 'null', changed.slice(0, at)];
    const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
    changed = changed.slice(0, at) + piece + changed.slice(at + Math.floor(random() * 3));
  }
  return changed;
}
