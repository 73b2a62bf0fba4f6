import { describe, expect, it } from 'vitest';
import { nameField } from './canonical/name-field.js';
import type { ProtocolName } from './canonical/blocks.js';
import type { ModelTraits } from './canonical/model-traits.js';
import { findCodec, findUpstreamProtocol } from './chat/chat-protocols.js';
import { isObject, type JsonObject } from './json.js';
import { withoutPlaces } from './testing/without-places.js';

const PLACE = { country: 'DE', city: 'Berlin' };
const TURN = { role: 'user', content: 'News?' };
/** How a client of each protocol asks for a search, near Berlin where it can say so. */
const ASKS: Readonly<Record<string, JsonObject>> = {
  'openai-chat': {
    messages: [TURN],
    web_search_options: { user_location: { type: 'approximate', approximate: PLACE } },
  },
  'openai-responses': {
    input: [TURN],
    tools: [{ type: 'web_search', user_location: { type: 'approximate', ...PLACE } }],
  },
  'anthropic-messages': {
    max_tokens: 64,
    messages: [TURN],
    tools: [
      { type: 'web_search_20250305', name: 'web_search', user_location: { type: 'approximate', ...PLACE } },
    ],
  },
  'gemini-generate': {
    contents: [{ role: 'user', parts: [{ text: 'News?' }] }],
    tools: [{ googleSearch: {} }],
  },
};
const NAMES = Object.keys(ASKS) as ProtocolName[];
const PAIRS = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => ({ from, to })));

function convert(
  from: ProtocolName,
  to: ProtocolName,
  body: JsonObject,
  traits: ModelTraits = { supportsWebSearch: true },
) {
  const dropped: string[] = [];
  const request = findCodec(from).decodeRequest(withoutPlaces(body), 'some-model', false);
  const sent = findCodec(to).encodeRequest(request, {
    client: findUpstreamProtocol(from),
    upstreamModel: 'upstream-model',
    channelType: 'some-channel',
    traits,
    dropped: { add: (field) => dropped.push(nameField(field, findUpstreamProtocol(from))) },
  });
  return { sent, dropped };
}

/** The search that a request asks for, as its protocol has it. */
function readSearch(to: ProtocolName, sent: JsonObject): unknown {
  if (to === 'openai-chat') return sent.web_search_options;
  return Array.isArray(sent.tools) && isObject(sent.tools[0]) ? sent.tools[0] : undefined;
}

describe('a search of the web', () => {
  it.each(PAIRS)('of a client of $from is one of $to', ({ from, to }) => {
    const { sent, dropped } = convert(from, to, ASKS[from] ?? {});
    const asked = readSearch(to, sent);
    const isPlaced = from !== 'gemini-generate' && to !== 'gemini-generate';
    const place = isPlaced ? {} : withoutPlace(to);
    expect(withoutPlaces(asked)).toEqual(readSearch(to, { ...ASKS[to], ...place }));
    const named = from === 'openai-chat' ? 'web_search_options.user_location' : 'tools[0].user_location';
    expect(dropped).toEqual(from !== 'gemini-generate' && to === 'gemini-generate' ? [named] : []);
  });

  it.each(PAIRS.filter(({ from }) => from !== 'openai-chat'))(
    'of a client of $from is left out where the model of $to has none',
    ({ from, to }) => {
      const { dropped } = convert(from, to, ASKS[from] ?? {}, {});
      expect(dropped).toEqual([expect.stringMatching(/^tools\.(web_search|googleSearch)$/)]);
    },
  );

  it.each(PAIRS.filter(({ from }) => from === 'openai-chat'))(
    'that a chat is set to is refused where the model of $to has none',
    ({ from, to }) => {
      const attempt = () => convert(from, to, ASKS[from] ?? {}, {});
      expect(attempt).toThrow(/web_search_options cannot be used/);
    },
  );

  it('is left out where it cannot be limited as the caller wants', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', blocked_domains: ['example.com'] }];
    const body = { ...ASKS['anthropic-messages'], tools };
    for (const to of ['openai-chat', 'openai-responses', 'gemini-generate'] as const) {
      expect(convert('anthropic-messages', to, body).dropped).toEqual(['tools.web_search']);
    }
    const allowed = [{ type: 'web_search', filters: { allowed_domains: ['example.com'] } }];
    const asked = convert('openai-responses', 'anthropic-messages', { input: [TURN], tools: allowed });
    expect(asked.sent.tools).toEqual([
      { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'] },
    ]);
  });

  it('does not go with functions at Google', () => {
    const tools = [{ type: 'web_search' }, { type: 'function', name: 'find' }];
    expect(convert('openai-responses', 'gemini-generate', { input: [TURN], tools }).dropped).toEqual([
      'tools.web_search',
    ]);
  });

  describe('clients 10: that has to be run', () => {
    const forced = { ...ASKS['anthropic-messages'], tool_choice: { type: 'tool', name: 'web_search' } };

    it('has to be run by the other provider, too', () => {
      const responses = convert('anthropic-messages', 'openai-responses', forced);
      expect(responses.sent).toMatchObject({
        tools: [{ type: 'web_search' }],
        tool_choice: { type: 'web_search' },
      });
      const chat = convert('anthropic-messages', 'openai-chat', forced);
      expect(chat.sent).toMatchObject({ web_search_options: {} });
      expect(chat.sent).not.toHaveProperty('tool_choice');
      const body = { ...ASKS['openai-responses'], tool_choice: { type: 'web_search' } };
      expect(convert('openai-responses', 'anthropic-messages', body).sent.tool_choice).toEqual({
        type: 'tool',
        name: 'web_search',
      });
    });

    it('is left to the model where it is its only tool and cannot be forced', () => {
      const { sent, dropped } = convert('anthropic-messages', 'gemini-generate', forced);
      expect(sent.tools).toEqual([{ googleSearch: {} }]);
      expect(dropped).toContain('tool_choice');
    });

    it('is refused where the model has none', () => {
      expect(() => convert('anthropic-messages', 'openai-responses', forced, {})).toThrow(
        /tool_choice cannot be used/,
      );
    });
  });
});

/** The same ask without a place. */
function withoutPlace(to: ProtocolName): JsonObject {
  if (to === 'openai-chat') return { web_search_options: {} };
  if (to === 'openai-responses') return { tools: [{ type: 'web_search' }] };
  return to === 'anthropic-messages' ? { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } : {};
}
