import { expect, it } from 'vitest';
import type { Conversation, Reply } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { TOOLS } from '../tools.js';
import { type Cell, findCall, openConversation } from './cells.js';

const BOTH_CALLS = [
  { name: 'get_weather', args: { city: 'sample' } },
  { name: 'get_time', args: { zone: 'sample', precise: true } },
];

const THOUGHTS = 'The river runs past the old mill and every';

/** Tools over three turns, and thoughts whose signatures come back to the model that made them through any client. */
export function describeToolsAndThoughts(get: () => Deployment, cell: Cell): void {
  const { client, row } = cell;

  it.each([false, true])('calls two tools at once and goes on, streamed: %s', async (stream) => {
    const conversation = openConversation(get(), cell, 'two-tool-calls', { tools: TOOLS });
    const { first, second, third } = await talk(conversation, stream);
    expect(first).toMatchObject({ calls: BOTH_CALLS, stop: client.stops.calls });
    expect(second).toMatchObject({ text: 'The tool said: noon in Rome', calls: [], stop: client.stops.end });
    expect(third).toMatchObject({ calls: BOTH_CALLS });
    expect(findCall(get(), cell, 'two-tool-calls').rawBody.toString()).toContain('sunny in Paris');
  });

  it.each([false, true])('thinks between calls, streamed: %s', async (stream) => {
    const conversation = openConversation(get(), cell, 'thinks-and-calls', { tools: TOOLS, think: true });
    const thoughts = row.hidesThoughtsFrom?.includes(client.name) ? '' : THOUGHTS;
    conversation.ask({ text: 'How is Paris, and how late is it in Rome?' });
    const first = await conversation.run({ stream });
    expect(first).toMatchObject({ thoughts, calls: BOTH_CALLS });
    conversation.answerCalls(['sunny in Paris', 'noon in Rome']);
    const second = await conversation.run({ stream });
    expect(second).toMatchObject({ thoughts, text: 'The tool said: noon in Rome' });
    expect(second.headers['x-gateway-dropped']).toBe(
      row.dropsThoughtsOf?.includes(client.name) ? client.droppedThoughts : undefined,
    );
    const body = findCall(get(), cell, 'thinks-and-calls').rawBody.toString();
    expect(body).toMatch(row.wantsThoughtsBack ?? /./);
    expect(body).not.toContain('skip_thought_signature_validator');
    conversation.ask({ text: 'And tomorrow?' });
    expect(await conversation.run({ stream })).toMatchObject({ thoughts, calls: BOTH_CALLS });
  });
}

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
