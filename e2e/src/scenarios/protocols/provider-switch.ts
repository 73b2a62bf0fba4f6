import { describe, expect, it } from 'vitest';
import { CHAT_CLIENTS } from '../../clients/chat/chat-clients.js';
import { CLOUDS } from '../../deployment/clouds.js';
import type { Deployment } from '../../deployment/deployment.js';
import { LOOK_ALIKES } from '../../deployment/look-alikes.js';
import { slugOver, WIRES } from '../../deployment/wires.js';
import { TOOLS } from '../tools.js';

/** Where the fake upstream refuses what is another's most: ids, thoughts, fields. */
const STRICT_PROVIDERS = [...LOOK_ALIKES, ...CLOUDS].filter(({ name }) =>
  ['deepseek', 'mistral', 'moonshot', 'openrouter', 'bedrock-nova'].includes(name),
);

const ROUTES = [
  ...WIRES.flatMap((from) => WIRES.filter((to) => to !== from).map((to) => ({ from, to }))),
  ...STRICT_PROVIDERS.flatMap((to) => WIRES.slice(2).map((from) => ({ from, to }))),
];

const SWITCHES = CHAT_CLIENTS.flatMap((client) =>
  ROUTES.map(({ from, to }) => ({
    title: `${client.name}, from ${from.name} to ${to.name} and back`,
    client,
    from: slugOver(from, 'thinks-and-calls'),
    to: slugOver(to, 'thinks-and-calls'),
  })),
);

/** A conversation that moves to another provider, with the thoughts and calls of the first one in it, goes on. */
export function describeProviderSwitch(get: () => Deployment): void {
  describe('a conversation moves', () => {
    it.each(SWITCHES)('$title', async ({ client, from, to }) => {
      const conversation = client.open(get(), { model: from, tools: TOOLS, think: true });
      conversation.ask({ text: 'How is Paris, and how late is it in Rome?' });
      await conversation.run({ stream: true });
      conversation.answerCalls(['sunny in Paris', 'noon in Rome']);
      const second = await conversation.run({ stream: true, model: to });
      expect(second.text).toBe('The tool said: noon in Rome');
      conversation.ask({ text: 'And tomorrow?' });
      const third = await conversation.run({ stream: true, model: to });
      expect(third.calls).toHaveLength(2);
      conversation.answerCalls(['rain in Paris', 'midnight in Rome']);
      const last = await conversation.run({ stream: true, model: from });
      expect(last.text).toBe('The tool said: midnight in Rome');
    });
  });
}
