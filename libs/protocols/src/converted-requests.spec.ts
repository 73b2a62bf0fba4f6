import { describe, expect, it } from 'vitest';
import type { Codec } from './canonical/codec.js';
import type { CanonicalRequest, ToolDefinition } from './canonical/request.js';
import { isObject } from './json.js';
import { convertRequest, decodeGolden } from './testing/convert-golden.js';
import { findMissing, readConversation } from './testing/list-said.js';
import { CODECS, readGoldens } from './testing/read-goldens.js';

/** Settings of a request, and what encoders call them when they leave one out. */
const SETTINGS = {
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  choices: 'n',
  parallelToolCalls: 'parallel_tool_calls',
  user: 'user',
} as const satisfies Partial<Record<keyof CanonicalRequest, string>>;

interface Conversion {
  readonly name: string;
  readonly to: Codec;
  readonly request: CanonicalRequest;
  /** What the channel was asked, as a server of its protocol reads it. */
  readonly decoded: CanonicalRequest;
  /** What encoders left out, in their words. */
  readonly dropped: readonly string[];
}

/** Every golden that a channel of every protocol takes, its own among them. */
const CONVERSIONS: readonly Conversion[] = readGoldens('request.json').flatMap((golden) => {
  const request = decodeGolden(golden);
  if ('refused' in request) return [];
  return CODECS.flatMap((to) => {
    const converted = convertRequest(request, { golden, to });
    if ('refused' in converted) return [];
    const decoded = to.decodeRequest(converted.body, 'upstream-model', request.stream);
    const name = `${golden.codec.name} to ${to.name}: ${golden.concept}`;
    return [{ name, to, request, decoded, dropped: converted.left }];
  });
});

/** Names of the members of a schema, however deep. */
function listMembers(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(listMembers);
  if (!isObject(schema)) return [];
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(listMembers)];
}

function listTools(tools: readonly ToolDefinition[]) {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    members: listMembers(parameters),
  }));
}

/** The tools that a request lets the model call. */
function listCallable({ tools, toolChoice }: CanonicalRequest): readonly ToolDefinition[] {
  if (toolChoice?.mode === 'none') return [];
  const names = toolChoice && 'names' in toolChoice ? toolChoice.names : undefined;
  return names ? tools.filter(({ name }) => names.includes(name)) : tools;
}

describe('a request that is converted', () => {
  it.each(CONVERSIONS.map((one) => [one.name, one] as const))(
    '%s: says all that was said, in its order',
    (_, { request, decoded, dropped }) => {
      const [said, reached] = [readConversation(request), readConversation(decoded)];
      // A conversation may have to begin with the user, and instructions may have to stand in it.
      expect(findMissing(said.spoken, reached.spoken)).toEqual([]);
      expect(findMissing(said.results, reached.results)).toEqual([]);
      const texts = [...reached.instructions, ...reached.spoken.map(({ text }) => text)].join('\n');
      expect(said.instructions.filter((text) => !texts.includes(text))).toEqual([]);
      const sent = [...reached.media, texts].join('\n');
      expect(said.media.filter((item) => !sent.includes(item))).toEqual([]);
      const isKnown = dropped.includes('messages.thinking') || reached.signatures.length > 0;
      expect(said.thoughts.filter((text) => !isKnown && !reached.thoughts.includes(text))).toEqual([]);
    },
  );

  it.each(CONVERSIONS.map((one) => [one.name, one] as const))(
    '%s: declares the tools that may be called',
    (_, { request, decoded }) => {
      expect(listTools(decoded.tools)).toEqual(expect.arrayContaining(listTools(listCallable(request))));
    },
  );

  it.each(CONVERSIONS.map((one) => [one.name, one] as const))(
    '%s: keeps each setting, or names it',
    (_, { to, request, decoded, dropped }) => {
      const [before, after] = [readSettings(request), readSettings(decoded)];
      const lost = Object.entries(before).filter(
        ([name, value]) => !dropped.includes(name) && !mayDiffer(name, to, request) && value !== after[name],
      );
      expect(Object.fromEntries(lost)).toEqual({});
    },
  );
});

/** The settings that a request has, by the names that encoders give them. */
function readSettings(request: CanonicalRequest): Readonly<Record<string, string>> {
  const all = Object.entries(SETTINGS).map(
    ([setting, name]) => [name, JSON.stringify(request[setting as keyof typeof SETTINGS])] as const,
  );
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '[]'));
}

/** What is kept in another way than by telling the channel. */
function mayDiffer(name: string, to: Codec, request: CanonicalRequest): boolean {
  // The gateway cuts the answer itself where a protocol knows no stop strings.
  if (name === 'stop') return to.name === 'openai-responses';
  // Several calls at once are what every provider allows where it is not set otherwise.
  if (name === 'parallel_tool_calls') {
    return request.parallelToolCalls === true || listCallable(request).length === 0;
  }
  // OpenAI takes 64 letters: of a longer name it gets a hash.
  return name === 'user' && (request.user ?? '').length > 64;
}
