import { describe, expect, it } from 'vitest';
import {
  type ClientProtocolName,
  findChatProtocol,
  findCodec,
  findUpstreamProtocol,
  type ProtocolName,
} from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { runAtOnce, type Steps } from './steps.js';

const MOST_IN_TURN = 4_000;
const MOST_TOOLS = 2_000;
const MOST_STOPS = 2_500;
const MOST_STOP_CHARACTERS = 1_024;

const user = { role: 'user', content: 'hello' };
const contents = [{ parts: [{ text: 'hello' }] }];

function repeat<T>(write: (at: number) => T, count: number): T[] {
  return Array.from({ length: count }, (_, at) => write(at));
}

function decode(from: ProtocolName, body: JsonObject) {
  return findCodec(from).decodeRequest(body, 'm', false);
}

function contextFor(from: ProtocolName, traits = {}) {
  const dropped = { add: () => undefined };
  return {
    upstreamModel: 'u',
    channelType: 'some-channel',
    traits,
    client: findUpstreamProtocol(from),
    dropped,
  };
}

function countSteps(work: Steps<unknown>): number {
  for (let steps = 0; ; steps++) if (work.next().done) return steps;
}

describe('M5: what is read in one step is bounded', () => {
  it("the names of Google's choice of tools", () => {
    const write = (count: number) => ({
      contents,
      toolConfig: {
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: repeat((at) => `f${at}`, count) },
      },
    });
    expect(decode('gemini-generate', write(MOST_TOOLS)).toolChoice).toMatchObject({ mode: 'any' });
    expect(() => decode('gemini-generate', write(MOST_TOOLS + 1))).toThrow(
      `toolConfig.functionCallingConfig.allowedFunctionNames must hold at most ${MOST_TOOLS} tools.`,
    );
  });

  it.each([
    ['each in a tool of its own', () => ({ google_search: {} })],
    [
      'beside a declaration',
      (at: number) => ({ function_declarations: [{ name: `f${at}` }], urlContext: {} }),
    ],
    ['as nothing', () => ({})],
  ])("Google's own tools, %s", (_, write) => {
    const members = Math.max(1, Object.keys(write(0)).length);
    const most = Math.floor(MOST_TOOLS / members);
    expect(decode('gemini-generate', { contents, tools: repeat(write, most) }).turns).toHaveLength(1);
    expect(() => decode('gemini-generate', { contents, tools: repeat(write, most + 1) })).toThrow(
      `tools must hold at most ${MOST_TOOLS} tools.`,
    );
  });

  it("members of Google's settings", () => {
    const write = (count: number) => ({
      contents,
      generationConfig: Object.fromEntries(repeat((at) => [`setting${at}`, 1], count)),
    });
    expect(Object.keys(decode('gemini-generate', write(500)).ext['gemini-generate'] ?? {})).toHaveLength(500);
    expect(() => decode('gemini-generate', write(501))).toThrow(
      'generationConfig must hold at most 500 members.',
    );
  });

  it.each(['thinking_blocks', 'reasoning_details'])('%s of a message', (field) => {
    const thought = { type: 'thinking', thinking: 't' };
    const write = (count: number) => ({
      messages: [user, { role: 'assistant', content: 'a', [field]: repeat(() => thought, count) }],
    });
    expect(decode('openai-chat', write(MOST_IN_TURN)).turns).toHaveLength(2);
    expect(() => decode('openai-chat', write(MOST_IN_TURN + 1))).toThrow(
      `messages[1].${field} must hold at most ${MOST_IN_TURN} items.`,
    );
  });

  it('parts of an item of reasoning', () => {
    const write = (count: number) => ({
      input: [
        user,
        { type: 'reasoning', summary: repeat(() => ({ type: 'summary_text', text: 't' }), count) },
      ],
    });
    expect(decode('openai-responses', write(MOST_IN_TURN)).turns).toHaveLength(2);
    expect(() => decode('openai-responses', write(MOST_IN_TURN + 1))).toThrow(
      `input[1] must hold at most ${MOST_IN_TURN} items.`,
    );
  });

  it.each<[ProtocolName, (stop: unknown) => JsonObject, string]>([
    ['openai-chat', (stop) => ({ messages: [user], stop }), 'stop'],
    ['openai-completions', (stop) => ({ prompt: 'hello', stop }), 'stop'],
    ['anthropic-messages', (stop_sequences) => ({ messages: [user], stop_sequences }), 'stop_sequences'],
    [
      'gemini-generate',
      (stopSequences) => ({ contents, generationConfig: { stopSequences } }),
      'generationConfig.stopSequences',
    ],
  ])('%s: stop strings', (from, write, param) => {
    const refusal = `${param} must hold at most ${MOST_STOPS} strings of ${MOST_STOP_CHARACTERS} characters.`;
    const stops = repeat((at) => `stop ${at}`, MOST_STOPS);
    expect(decode(from, write(stops)).stop).toHaveLength(MOST_STOPS);
    expect(() => decode(from, write([...stops, 'one more']))).toThrow(refusal);
    expect(decode(from, write(['a'.repeat(MOST_STOP_CHARACTERS)])).stop).toHaveLength(1);
    expect(() => decode(from, write(['a'.repeat(MOST_STOP_CHARACTERS + 1)]))).toThrow(refusal);
  });

  it.each([
    'anthropic-messages',
    'bedrock-converse',
    'gemini-generate',
    'openai-responses',
    'openai-chat',
  ] as const)('system turns at the beginning, for %s', (to) => {
    const from = to === 'openai-chat' ? 'openai-responses' : 'openai-chat';
    const list = from === 'openai-chat' ? 'messages' : 'input';
    const encode = (count: number) => {
      const messages = [...repeat(() => ({ role: 'system', content: 'be brief' }), count), user];
      const request = decode(from, { [list]: messages });
      const context = contextFor(from, { supportsLaterSystemTurns: false });
      return runAtOnce(findCodec(to).encodeInSteps(request, context));
    };
    expect(Object.keys(encode(MOST_IN_TURN)).length).toBeGreaterThan(0);
    expect(() => encode(MOST_IN_TURN + 1)).toThrow(`${list} must hold at most ${MOST_IN_TURN} items.`);
  });
});

describe('M5: what is not bounded is done in steps', () => {
  const MANY = 5_000;

  it("members of Google's requests, contents left out", () => {
    const safety_settings = repeat(() => ({ some_category: 'a' }), MANY);
    const work = findCodec('gemini-generate').decodeInSteps({ contents, safety_settings }, 'm', false);
    expect(countSteps(work)).toBeGreaterThanOrEqual(MANY);
  });

  it.each<[string, JsonObject, number]>([
    ['objects', { unknown: repeat(() => ({ some_name: {} }), MANY) }, MANY],
    ['members', Object.fromEntries(repeat((at) => [`member_no${at}`, at], MANY)), MANY / 500],
  ])("%s of a part of Google's contents", (_, members, steps) => {
    const part = { text: 'a', ...members };
    const work = findCodec('gemini-generate').decodeInSteps({ contents: [{ parts: [part] }] }, 'm', false);
    expect(countSteps(work)).toBeGreaterThanOrEqual(steps);
  });

  it.each(['anthropic-messages', 'bedrock-converse'] as const)('marks and hints of turns, for %s', (to) => {
    const part = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' }, unknown: 1 };
    const messages = repeat(() => ({ role: 'user', name: 'n', content: [part] }), MANY);
    const request = decode('openai-chat', { messages });
    // To and fro, beside the turns themselves: results put in order, marks carried, hints named.
    expect(
      countSteps(findCodec(to).encodeInSteps(request, contextFor('openai-chat'))),
    ).toBeGreaterThanOrEqual(4 * MANY);
  });

  it.each<[ClientProtocolName, JsonObject]>([
    ['openai-chat', { messages: repeat(() => user, MANY) }],
    ['anthropic-messages', { messages: repeat(() => user, MANY) }],
    ['openai-responses', { input: repeat(() => user, MANY) }],
    ['gemini-generate', { contents: repeat(() => contents[0], MANY) }],
    ['openai-completions', { prompt: repeat(() => [1, 2], MANY) }],
  ])('%s: texts of a prompt that are counted', (from, body) => {
    const protocol = findChatProtocol(from);
    expect(countSteps(protocol.listPromptTexts(body))).toBeGreaterThanOrEqual(MANY);
    expect(runAtOnce(protocol.listPromptTexts(body)).join('\n').length).toBeGreaterThanOrEqual(MANY);
  });

  it('the texts of a completion are not put together where they are long, nor are tokens that come as numbers', () => {
    const list = (request: JsonObject) =>
      runAtOnce(findChatProtocol('openai-completions').listPromptTexts(request));
    const prompts = repeat((at) => `${at}`.repeat(MANY), 60);
    expect(list({ prompt: prompts, suffix: 'end' })).toEqual([...prompts, 'end']);
    const longest = Math.max(...list({ prompt: repeat(() => 1, 1_000_000) }).map(({ length }) => length));
    expect(longest).toBeLessThan(256 * 1024);
    expect(list({ prompt: ['a ', 'b'], suffix: 'c' })).toEqual(['a bc']);
  });
});
