import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

export const shareAnswers: Attack = {
  threats: ['T23'],
  title:
    "nobody gets another wallet's answer, nor its usage, by the same prompt and the same Idempotency-Key",
  async run({ deployment }) {
    const { memberKey, member } = await createTwoUsers(deployment);
    const console = await ConsoleClient.asAdmin(deployment);
    const [wallet] = await member.list<{ id: string }>('/wallets');
    await console.demand('POST', `/wallets/${wallet?.id}/topups`, {
      amount: '1',
      note: 'for the attack',
      idempotency_key: randomUUID(),
    });
    const headers = { 'idempotency-key': `shared-${randomUUID()}` };
    const body = { model: 'plain', messages: HELLO };
    const before = deployment.upstream.calls.length;
    const ids: (string | null)[] = [];
    for (const key of [KEYS.main, KEYS.videos, memberKey]) {
      const answer = await postChat(deployment, body, { ...headers, authorization: `Bearer ${key}` });
      expect(answer.status).toBe(200);
      ids.push(answer.headers.get('x-request-id'));
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(deployment.upstream.calls.length - before).toBe(ids.length);
  },
};
