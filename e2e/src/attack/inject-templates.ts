import { expect } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import type { Attack } from './attack.js';
import { createTwoUsers } from './two-users.js';

const TEMPLATES = [
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '#{7*7}',
  '{{constructor.constructor("return process")()}}',
  '$(id)',
  '`id`',
  '"; process.exit(1); "',
];

export const injectTemplates: Attack = {
  threats: ['T9'],
  title: 'text that looks like a template, a command or code stays text',
  async run({ deployment }) {
    const { member } = await createTwoUsers(deployment);
    for (const text of TEMPLATES) {
      const named = await member.demand<{ name: string }>('POST', '/tokens', { name: text });
      expect(named.name).toBe(text);
      const { status } = await postChat(deployment, {
        model: 'plain',
        messages: [{ role: 'user', content: text }],
      });
      expect(status).toBe(200);
      expect(deployment.upstream.calls.at(-1)?.body?.messages).toEqual([{ role: 'user', content: text }]);
    }
  },
};
