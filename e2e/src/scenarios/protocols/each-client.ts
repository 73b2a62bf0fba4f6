import { describe, expect, it } from 'vitest';
import { CHAT_CLIENTS } from '../../clients/chat/chat-clients.js';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { TOOLS } from '../tools.js';

/** Models of the sandbox: one that speaks whatever the client does, and one for each protocol but chat completions. */
const SANDBOX_MODELS = ['sandbox-chat', 'sandbox-messages', 'sandbox-generate', 'sandbox-responses'];

const QUESTION = 'What is the weather in Paris?';

/** What does not depend on the channel: keys, models, and the sandbox. */
export function describeEachClient(get: () => Deployment): void {
  describe.each(CHAT_CLIENTS.map((client) => ({ title: client.name, client })))('$title', ({ client }) => {
    it.each([
      [{ model: 'plain', apiKey: 'sk-nobody-000000' }, 401, client.kinds.wrongKey],
      [{ model: 'no-such-model' }, 404, client.kinds.unknownModel],
      [{ model: 'flat', apiKey: KEYS.restricted }, 403, client.kinds.forbidden],
    ])('refuses %o', async (setup, status, kind) => {
      const conversation = client.open(get(), setup);
      conversation.ask({ text: QUESTION });
      const outcome = await conversation.run({ stream: false }).catch(client.readFailure);
      expect(outcome).toMatchObject({ status, kind });
    });

    it('lists the models that its key may use', async () => {
      const models = await client.listModels(get());
      expect(models).toEqual(expect.arrayContaining(['plain', 'sandbox-chat', 'over-gemini-plain']));
      expect(models).not.toContain('retired');
    });

    it('shows one model, and no other', async () => {
      expect(await client.showModel(get(), 'plain')).toBe('plain');
      const outcome = await client.showModel(get(), 'retired').catch(client.readFailure);
      expect(outcome).toMatchObject({ status: 404, kind: client.kinds.unknownModel });
    });

    it.each(SANDBOX_MODELS)('talks to %s', async (model) => {
      const conversation = client.open(get(), { model, tools: TOOLS.slice(0, 1) });
      conversation.ask({ text: QUESTION });
      const first = await conversation.run({ stream: true });
      expect(first.calls).toMatchObject([{ name: 'get_weather', args: { city: 'Paris' } }]);
      conversation.answerCalls(['drizzle in Paris']);
      const second = await conversation.run({ stream: false });
      expect(second.text).toContain('drizzle in Paris');
      expect(second.stop).toBe(client.stops.end);
      expect(second.counts.output).toBeGreaterThan(0);
      expect(Number(second.headers['x-gateway-cost'])).toBeGreaterThan(0);
    });
  });
}
