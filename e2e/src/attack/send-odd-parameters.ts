import { expect } from 'vitest';
import { postChat, request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';

/** As they are written into the body, so that no writer makes them valid. */
const NUMBERS = [
  '-1',
  '0',
  '1.5',
  '1e309',
  '-0',
  '9007199254740993',
  '1e400',
  '"5"',
  '[5]',
  '{}',
  'true',
  '""',
];
const FIELDS = ['n', 'max_tokens', 'max_completion_tokens'];
const SECONDS = ['-5', '0', '1e309', '1e9', '"x"', '[4]'];

export const sendOddParameters: Attack = {
  threats: ['T17'],
  title: 'a figure that decides the price is a whole number in its range, or refused by name',
  async run({ deployment }) {
    const messages = JSON.stringify(HELLO);
    const before = deployment.upstream.calls.length;
    for (const field of FIELDS) {
      for (const value of NUMBERS) {
        const answer = await postChat(
          deployment,
          `{"model":"plain","messages":${messages},"${field}":${value}}`,
        );
        expect(answer.status, `${field} ${value}`).toBe(400);
        expect(answer.failure.detail.param, `${field} ${value}`).toBe(field);
      }
    }
    for (const value of SECONDS) {
      const answer = await request(deployment, '/v1/video/generations', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body: `{"model":"video-native","prompt":"a cat","duration":${value}}`,
      });
      expect(answer.status, `duration ${value}`).toBe(400);
    }
    expect(deployment.upstream.calls.length).toBe(before);
  },
};
