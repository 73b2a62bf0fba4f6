import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { exchangeBytes } from './raw-http.js';

const BODY = JSON.stringify({ model: 'leaky', messages: HELLO });
const START = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEYS.main}\r\ncontent-type: application/json\r\n`;
const SMUGGLED = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEYS.main}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/** Two readers would find the end of the first body in different places. */
const VECTORS: readonly (readonly [string, string])[] = [
  [
    'a length and chunks',
    `${START}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  ['two lengths', `${START}content-length: 0\r\ncontent-length: 4\r\n\r\n${SMUGGLED}`],
  ['chunks in disguise', `${START}transfer-encoding: xchunked\r\ncontent-length: 0\r\n\r\n${SMUGGLED}`],
  ['chunks after a space', `${START}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['two encodings', `${START}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a folded header', `${START}x: y\r\n transfer-encoding: chunked\r\ncontent-length: 0\r\n\r\n${SMUGGLED}`],
  ['a signed length', `${START}content-length: +0\r\n\r\n${SMUGGLED}`],
  ['a bare line feed', `${START}content-length: 0\n\n${SMUGGLED}`],
  ['a NUL', `${START}content-length: 0\u0000\r\n\r\n${SMUGGLED}`],
];

const INJECTED = ['x-request-id', 'user-agent', 'anthropic-version', 'openai-beta', 'x-stainless-lang'];

export const smuggleRequests: Attack = {
  threats: ['T15'],
  title: 'a request whose end two readers see differently is refused whole',
  async run({ deployment }) {
    const before = countLeaks();
    for (const [what, bytes] of VECTORS) {
      await exchangeBytes(deployment.gatewayUrl, bytes);
      expect(countLeaks() - before, `calls smuggled by ${what}`).toBe(0);
    }
    for (const name of INJECTED) {
      await postChat(
        deployment,
        { model: 'plain', messages: HELLO },
        { [name]: 'a', connection: 'keep-alive' },
      );
    }
    const names = deployment.upstream.calls.flatMap(({ headers }) => Object.keys(headers));
    for (const name of ['cookie', 'x-forwarded-for', 'x-api-key']) expect(names).not.toContain(name);

    function countLeaks(): number {
      return deployment.upstream.calls.filter(({ model }) => model === 'leaky').length;
    }
  },
};
