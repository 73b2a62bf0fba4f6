import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { CANARY, KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';

/** What upstreams put into their errors. */
const LEAKED = [
  ...PROVIDER_KEYS,
  'ya29.a0AfH6SMBx-1234567890abcdef',
  'xoxb-123456789012-abcdefABCDEF',
  'AKIAIOSFODNN7EXAMPLE',
  'Basic dXNlcjpwYXNzd29yZA==',
  'AIzaSyA-1234567890abcdefghijklmnopqrstu',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
];

export const leakSecrets: Attack = {
  threats: ['T21'],
  title: 'no secret stands in an answer, in a row of the Console or in a log line',
  async run({ deployment }) {
    const console = await ConsoleClient.asAdmin(deployment);
    for (const secret of LEAKED) {
      const message = `the key ${secret} may not do this`;
      deployment.upstream.script('leaky', {
        failure: { kind: 'reply', status: 400, body: { error: { message, type: 'invalid_request_error' } } },
      });
      const { text } = await postChat(deployment, { model: 'leaky', messages: HELLO });
      expect(text, `an answer shows ${secret}`).not.toContain(secret);
    }
    for (const path of ['/channels', '/tokens', '/settings', '/system', '/audit', '/logs']) {
      const { body } = await console.call('GET', path);
      const text = JSON.stringify(body);
      // The identifier of an AWS key pair is shown; the deployment has the first provider key in its place.
      for (const secret of [...LEAKED.slice(1), ...Object.values(KEYS)]) {
        expect(text.includes(secret), `${path} shows ${secret}`).toBe(false);
      }
    }
    const output = deployment.readOutput();
    for (const secret of [...LEAKED, `${CANARY}-`]) {
      expect(output.includes(secret), `the log shows ${secret}`).toBe(false);
    }
  },
};
