import { describe, expect, it } from 'vitest';
import { findCodec, findUpstreamProtocol, type ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { atOnce, runInSlices, type Steps } from './steps.js';

const EXCHANGES = 3_000;
const MOST_IN_TURN = 4_000;
const MOST_TOOLS = 2_000;
const MEBIBYTE = 1024 * 1024;

function repeat<T>(write: (at: number) => T, count = EXCHANGES): T[] {
  return Array.from({ length: count }, (_, at) => write(at));
}

function contextFor(from: ProtocolName) {
  const dropped = { add: () => undefined };
  return {
    upstreamModel: 'u',
    channelType: 'some-channel',
    traits: {},
    client: findUpstreamProtocol(from),
    dropped,
  };
}

/** Does work and counts between how many steps others had their turn. */
function countSteps<T>(work: Steps<T>): { readonly steps: number; readonly value: T } {
  let steps = 0;
  for (let next = work.next(); ; next = work.next()) {
    if (next.done) return { steps, value: next.value };
    steps++;
  }
}

const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const user = { role: 'user', content: 'hello' };

/** Conversations of thousands of calls and their results, each in a turn of its own. */
const CONVERSATIONS: readonly (readonly [ProtocolName, JsonObject])[] = [
  [
    'openai-chat',
    {
      messages: [
        user,
        ...repeat((at) => [
          { role: 'assistant', tool_calls: [chatCall(`c${at}`)] },
          { role: 'tool', tool_call_id: `c${at}`, content: 'r' },
        ]).flat(),
      ],
    },
  ],
  [
    'anthropic-messages',
    {
      max_tokens: 5,
      messages: [
        user,
        ...repeat((at) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `t${at}`, name: 'f', input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: 'r' }] },
        ]).flat(),
      ],
    },
  ],
  [
    'openai-responses',
    {
      input: [
        user,
        ...repeat((at) => [
          { type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: `c${at}`, output: 'r' },
        ]).flat(),
      ],
    },
  ],
  [
    'gemini-generate',
    {
      contents: [
        { role: 'user', parts: [{ text: 'hello' }] },
        ...repeat((at) => [
          { role: 'model', parts: [{ function_call: { id: `c${at}`, name: 'f' } }] },
          {
            role: 'user',
            parts: [{ function_response: { id: `c${at}`, name: 'f', response: { snake_case: 1 } } }],
          },
        ]).flat(),
      ],
    },
  ],
];

const UPSTREAMS = [
  'openai-chat',
  'anthropic-messages',
  'openai-responses',
  'gemini-generate',
  'bedrock-converse',
] as const;

describe('M5: a conversation of thousands of turns is converted in steps', () => {
  it.each(CONVERSATIONS)('from %s', (from, body) => {
    const { steps, value } = countSteps(findCodec(from).decodeInSteps(body, 'm', false));
    expect(steps).toBeGreaterThanOrEqual(2 * EXCHANGES);
    for (const to of UPSTREAMS.filter((name) => name !== from)) {
      const encoded = countSteps(findCodec(to).encodeInSteps(value, contextFor(from)));
      expect([to, encoded.steps]).toEqual([to, expect.any(Number)]);
      expect(encoded.steps).toBeGreaterThanOrEqual(2 * EXCHANGES);
    }
  });
});

/** A turn of so many parts, calls or results, of each kind there is. */
const TURNS: readonly (readonly [ProtocolName, string, (count: number) => JsonObject, string])[] = [
  [
    'openai-chat',
    'parts',
    (count) => ({
      messages: [{ role: 'user', content: repeat(() => ({ type: 'text', text: 'a' }), count) }],
    }),
    'messages[0].content',
  ],
  [
    'openai-chat',
    'calls',
    (count) => ({
      messages: [user, { role: 'assistant', tool_calls: repeat((at) => chatCall(`c${at}`), count) }],
    }),
    'messages[1].tool_calls',
  ],
  [
    'openai-chat',
    'results',
    (count) => ({
      messages: repeat(() => ({ role: 'tool', tool_call_id: 'c', content: 'r' }), Math.ceil(count / 2)),
    }),
    'messages',
  ],
  [
    'anthropic-messages',
    'parts of results',
    (count) => ({
      messages: [
        {
          role: 'user',
          content: repeat(
            () => ({
              type: 'tool_result',
              tool_use_id: 't',
              content: repeat(() => ({ type: 'text', text: 'a' }), 3),
            }),
            Math.ceil(count / 4),
          ),
        },
      ],
    }),
    'messages[0].content',
  ],
  [
    'openai-responses',
    'calls',
    (count) => ({
      input: repeat(
        (at) => ({ type: 'function_call', call_id: `c${at}`, name: 'f', arguments: '{}' }),
        count,
      ),
    }),
    'input',
  ],
  [
    'gemini-generate',
    'parts',
    (count) => ({ contents: [{ parts: repeat(() => ({ text: 'a' }), count) }] }),
    'contents[0].parts',
  ],
];

describe('M5: a turn, and the tools of a request, hold no more than is converted in a few milliseconds', () => {
  const decode = (from: ProtocolName, body: JsonObject) => findCodec(from).decodeRequest(body, 'm', false);

  it.each(TURNS)('%s: %s', (from, _, write, param) => {
    expect(decode(from, write(MOST_IN_TURN)).turns.length).toBeGreaterThan(0);
    expect(() => decode(from, write(MOST_IN_TURN + 4))).toThrow(
      `${param} must hold at most ${MOST_IN_TURN} items.`,
    );
  });

  it.each<[ProtocolName, (tools: JsonObject[]) => JsonObject, string]>([
    [
      'openai-chat',
      (tools) => ({ messages: [user], tools: tools.map((tool) => ({ function: tool })) }),
      'tools',
    ],
    ['openai-chat', (functions) => ({ messages: [user], functions }), 'functions'],
    ['anthropic-messages', (tools) => ({ messages: [user], tools }), 'tools'],
    [
      'openai-responses',
      (tools) => ({ input: 'hello', tools: tools.map((tool) => ({ type: 'function', ...tool })) }),
      'tools',
    ],
    [
      'openai-responses',
      (tools) => ({ input: 'hello', tool_choice: { type: 'allowed_tools', tools } }),
      'tool_choice.tools',
    ],
    [
      'gemini-generate',
      (tools) => ({ contents: [{ parts: [{ text: 'hello' }] }], tools: [{ functionDeclarations: tools }] }),
      'tools',
    ],
  ])('%s: tools (%#)', (from, write, param) => {
    const tools = repeat((at) => ({ name: `f${at}` }), MOST_TOOLS + 1);
    expect(decode(from, write(tools.slice(1))).turns).toHaveLength(1);
    expect(() => decode(from, write(tools))).toThrow(`${param} must hold at most ${MOST_TOOLS} tools.`);
  });

  it('the input of a custom tool', () => {
    const write = (input: string) => ({
      input: [{ type: 'custom_tool_call', call_id: 'c', name: 'f', input }],
    });
    expect(decode('openai-responses', write('a'.repeat(MEBIBYTE / 2))).turns).toHaveLength(1);
    expect(() => decode('openai-responses', write('a'.repeat(MEBIBYTE / 2 + 1)))).toThrow(
      'input[0].input must have at most 524288 characters.',
    );
  });

  it.each<[ProtocolName, (urls: string[]) => JsonObject, string]>([
    [
      'openai-chat',
      (urls) => ({
        messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }],
      }),
      'messages[0].content',
    ],
    [
      'openai-responses',
      (urls) => ({
        input: [{ role: 'user', content: urls.map((url) => ({ type: 'input_image', image_url: url })) }],
      }),
      'input[0].content',
    ],
  ])('%s: percent-encoded data', (from, write, param) => {
    const url = `data:image/svg+xml,${'%41'.repeat(20_000)}`;
    expect(decode(from, write(repeat(() => url, 17))).turns).toHaveLength(1);
    expect(() => decode(from, write(repeat(() => url, 18)))).toThrow(
      `${param} must hold at most ${MEBIBYTE} characters of data that is not base64.`,
    );
    const base64 = `data:image/png;name=a;base64,${'AAAA'.repeat(15_000)}`;
    expect(decode(from, write(repeat(() => base64, 18))).turns).toHaveLength(1);
  });
});

describe('work in steps', () => {
  function* work(): Steps<string> {
    for (let step = 0; step < 3; step++) {
      const endMs = performance.now() + 3;
      while (performance.now() < endMs);
      yield;
    }
    return 'done';
  }

  it('is left between two of them once they have taken milliseconds', async () => {
    let pauses = 0;
    expect(await runInSlices(work(), async () => void pauses++)).toBe('done');
    expect(pauses).toBe(3);
  });

  it('is done at once for whoever wants it', () => {
    expect(atOnce(work)()).toBe('done');
  });
});
