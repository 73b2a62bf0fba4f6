import { describe, expect, it } from 'vitest';
import type { Conversation, Reply, ToolDefinition } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { findCall, PAIRS, slugOf } from './pairs.js';

/** Two tools, both of which the fake upstream calls in one turn. */
export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'Tells the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'get_time',
    description: 'Tells the time of a zone',
    parameters: {
      type: 'object',
      properties: { zone: { type: 'string' }, precise: { type: 'boolean' } },
      required: ['zone'],
    },
  },
];

const BOTH_CALLS = [
  { name: 'get_weather', args: { city: 'sample' } },
  { name: 'get_time', args: { zone: 'sample', precise: true } },
];

const THOUGHTS = 'The river runs past the old mill and every';

/** Tools over three turns, and thoughts whose signatures come back to the model that made them through any client. */
export function describeTools(get: () => Deployment): void {
  describe.each(PAIRS)('$title', (pair) => {
    const { client, wire } = pair;

    it.each([false, true])('calls two tools at once and goes on, streamed: %s', async (stream) => {
      const conversation = client.open(get(), { model: slugOf(pair, 'two-tool-calls'), tools: TOOLS });
      const { first, second, third } = await talk(conversation, stream);
      expect(first).toMatchObject({ calls: BOTH_CALLS, stop: client.stops.calls });
      expect(second).toMatchObject({
        text: 'The tool said: noon in Rome',
        calls: [],
        stop: client.stops.end,
      });
      expect(third).toMatchObject({ calls: BOTH_CALLS });
      const { rawBody } = findCall(get(), pair, 'two-tool-calls');
      expect(rawBody.toString()).toContain('sunny in Paris');
    });

    it.each([false, true])('thinks between calls, streamed: %s', async (stream) => {
      const setup = { model: slugOf(pair, 'thinks-and-calls'), tools: TOOLS, think: true };
      const { first, second, third } = await talk(client.open(get(), setup), stream);
      expect(first).toMatchObject({ thoughts: THOUGHTS, calls: BOTH_CALLS });
      expect(second).toMatchObject({ thoughts: THOUGHTS, text: 'The tool said: noon in Rome' });
      expect(third).toMatchObject({ thoughts: THOUGHTS, calls: BOTH_CALLS });
      const body = findCall(get(), pair, 'thinks-and-calls').rawBody.toString();
      expect(body).toMatch(CARRIED_THOUGHTS[wire.name] ?? /./);
      expect(body).not.toContain('skip_thought_signature_validator');
    });
  });
}

/** What the upstream, which checks each signature, gets back of its own thoughts. */
const CARRIED_THOUGHTS: Readonly<Record<string, RegExp>> = {
  responses: /"encrypted_content":"[^"]+/,
  anthropic: /"signature":"[^"]+/,
  gemini: /"thoughtSignature":"[^"]+/,
};

async function talk(
  conversation: Conversation,
  stream: boolean,
): Promise<Record<'first' | 'second' | 'third', Reply>> {
  conversation.ask({ text: 'How is Paris, and how late is it in Rome?' });
  const first = await conversation.run({ stream });
  conversation.answerCalls(['sunny in Paris', 'noon in Rome']);
  const second = await conversation.run({ stream });
  conversation.ask({ text: 'And tomorrow?' });
  const third = await conversation.run({ stream });
  return { first, second, third };
}
