import { expect } from 'vitest';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

/** Every route that takes the id of an API key, asked for the administrator's key and for one that is not there. */
export const readForeignKeys: Attack = {
  threats: ['T2'],
  title: "another user's key is answered like a key that is not there",
  async run({ deployment }) {
    const { administrator, member } = await createTwoUsers(deployment);
    const foreign = await administrator.findToken('main');
    const calls = [
      ['GET', ''],
      ['PATCH', '', { disabled: true }],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const;
    for (const [method, path, body] of calls) {
      const asked = await member.call<object>(method, `/tokens/${foreign.id}${path}`, body);
      const missing = await member.call<object>(
        method,
        `/tokens/00000000-0000-7000-8000-000000000000${path}`,
        body,
      );
      expect(asked.status, `${method} ${path}`).toBe(404);
      expect(withoutIds(asked.body)).toEqual(withoutIds(missing.body));
    }
    expect((await administrator.findToken('main')).disabled).toBe(false);
    const listed = await member.list<{ name: string }>('/tokens');
    expect(listed.map(({ name }) => name)).toEqual(['attacker']);
  },
};

function withoutIds(body: object): string {
  return JSON.stringify(body).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
}
