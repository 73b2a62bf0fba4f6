import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';
import { createTwoUsers } from './two-users.js';

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';
const OPENAI = '/v1/videos';

export const readForeignTasks: Attack = {
  threats: ['T3'],
  title: 'a task of another wallet is answered like one that is not there, and stays as it is',
  async run(target) {
    const { memberKey } = await createTwoUsers(target.deployment);
    const id = await orderVideo(target);
    const missing = `task_${randomUUID().replaceAll('-', '')}`;
    const asked = [
      ['GET', `${GENERIC}/`, ''],
      ['GET', `${GENERIC}/`, '/content'],
      ['GET', `${NATIVE}/`, ''],
      ['DELETE', `${NATIVE}/`, ''],
      ['GET', `${OPENAI}/`, ''],
      ['GET', `${OPENAI}/`, '/content'],
      ['DELETE', `${OPENAI}/`, ''],
    ] as const;
    // Another user, and the same user's key on another wallet.
    for (const key of [memberKey, KEYS.videos]) {
      for (const [method, before, after] of asked) {
        const foreign = await ask(target, key, method, `${before}${id}${after}`);
        const absent = await ask(target, key, method, `${before}${missing}${after}`);
        expect([404, 502], `${method} ${before}`).toContain(foreign.status);
        expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text]);
      }
      for (const list of [NATIVE, OPENAI]) {
        expect((await ask(target, key, 'GET', list)).text, `the list ${list}`).not.toContain(id);
      }
    }
    expect((await ask(target, KEYS.main, 'GET', `${GENERIC}/${id}`)).status).toBe(200);
  },
};

async function orderVideo({ deployment }: AttackTarget): Promise<string> {
  const made = await request(deployment, GENERIC, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'video-native', prompt: 'a cat', duration: 5 }),
  });
  expect(made.status).toBe(200);
  return (JSON.parse(made.text) as { id: string }).id;
}

/** An answer without what differs from one to the next. */
async function ask({ deployment }: AttackTarget, key: string, method: string, path: string) {
  const answer = await request(deployment, path, { method, headers: { authorization: `Bearer ${key}` } });
  const text = answer.text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|task_[0-9a-z]+/g, 'id');
  return { status: answer.status, text };
}
