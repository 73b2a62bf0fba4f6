import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const POLLUTED = [
  '"__proto__":{"admin":true,"stream":true,"max_tokens":1}',
  '"constructor":{"prototype":{"stream":true}}',
  '"metadata":{"__proto__":{"stream":true}}',
  '"stream_options":{"__proto__":{"include_usage":true}}',
];

export const pollutePrototypes: Attack = {
  threats: ['T26'],
  title: 'members named like a prototype change nothing beside themselves',
  async run({ deployment }) {
    const messages = JSON.stringify(HELLO);
    for (const member of POLLUTED) {
      const { status } = await postChat(deployment, `{"model":"plain","messages":${messages},${member}}`);
      expect([200, 400], `with ${member}`).toContain(status);
    }
    const { member } = await createTwoUsers(deployment);
    await member.call('POST', '/tokens', JSON.parse('{"name":"x","__proto__":{"role":"administrator"}}'));
    expect(await member.demand('GET', '/me')).toMatchObject({ role: 'member' });
    const after = await postChat(deployment, { model: 'plain', messages: HELLO });
    expect(after.headers.get('content-type')).toContain('application/json');
    expect(deployment.upstream.calls.at(-1)?.body).not.toHaveProperty('stream');
  },
};
