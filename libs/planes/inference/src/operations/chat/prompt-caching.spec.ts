import type { Channel } from '@mg/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const MARK = { type: 'ephemeral' };
const TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const SYSTEM = { role: 'system', content: 'Be brief.' };
const user = (content: string) => ({ role: 'user', content });

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  upstream.answer = {
    body: JSON.stringify({
      id: 'msg_1',
      type: 'message',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  };
});
beforeEach(async () => {
  gateway = await startSmallGateway('caching');
  upstream.asked.length = 0;
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

async function ask(body: object, channel: Partial<Channel> = {}): Promise<Record<string, unknown>> {
  const models = new Map([['m', 'claude-sonnet-4-5']]);
  const facts = { type: 'anthropic', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'], models };
  gateway.channels = [makeChannel('c', { ...facts, ...channel })];
  const answer = await gateway.post('/v1/chat/completions', { model: 'm', ...body });
  expect([answer.status, answer.headers.get('x-gateway-dropped')]).toEqual([200, null]);
  return upstream.asked[0]?.body ?? {};
}

describe('clients 7: a prompt for a provider that wants to be told what to cache', () => {
  it('is marked at the end of what the next turn begins with', async () => {
    const messages = [SYSTEM, user('a'), { role: 'assistant', content: 'b' }, user('c')];
    const sent = await ask({ messages, tools: [TOOL] });
    expect(sent).toMatchObject({
      system: [{ text: 'Be brief.', cache_control: MARK }],
      messages: [
        { content: 'a' },
        { content: 'b' },
        { content: [{ type: 'text', text: 'c', cache_control: MARK }] },
      ],
    });
    expect(JSON.stringify(sent).split('cache_control').length - 1).toBe(2);
  });

  it('is marked after results of tools, and after tools without a system prompt', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'nothing' };
    const messages = [user('a'), { role: 'assistant', content: null, tool_calls: [call] }, result];
    expect(await ask({ messages, tools: [TOOL] })).toMatchObject({
      tools: [{ name: 'look', cache_control: MARK }],
      messages: [{}, {}, { content: [{ type: 'tool_result', cache_control: MARK }] }],
    });
  });

  it.each([
    ['that is asked once', { messages: [SYSTEM, user('a')] }, {}],
    ['of a channel that is not to', { messages: [user('a')], tools: [TOOL] }, { promptCaching: 'off' }],
    [
      'for a model that is no Claude',
      { messages: [user('a')], tools: [TOOL] },
      { models: new Map([['m', 'glm-5']]) },
    ],
  ] as const)('%s is not marked', async (_which, body, channel) => {
    expect(JSON.stringify(await ask(body, channel))).not.toContain('cache_control');
  });

  it('that its client has marked keeps those marks alone', async () => {
    const marked = { role: 'user', content: [{ type: 'text', text: 'a', cache_control: MARK }] };
    const sent = await ask({ messages: [SYSTEM, marked, user('b')], tools: [TOOL] });
    expect(JSON.stringify(sent).split('cache_control').length - 1).toBe(1);
  });
});

describe('clients 7: an answer without a limit of its client', () => {
  it.each([
    [64_000, 64_000],
    [undefined, 16_384],
    [200_000, 64_000],
  ])('of a model that gives %s tokens may have %s', async (maxOutputTokens, sent) => {
    const catalog = gateway.context.catalog();
    const model = { ...catalog.models.get('m'), maxOutputTokens };
    const models = new Map([['m', model]]);
    const current = () => ({ ...catalog, models, channelsBySlug: new Map([['m', gateway.channels]]) });
    Object.assign(gateway.context, { catalog: current });
    expect(await ask({ messages: [user('a')] })).toMatchObject({ max_tokens: sent });
  });
});
