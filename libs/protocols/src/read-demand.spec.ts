import { describe, expect, it } from 'vitest';
import type { ClientProtocolName } from './canonical/blocks.js';
import { findChatProtocol } from './chat/chat-protocols.js';
import type { ChatEnvelope } from './chat/chat-envelope.js';
import type { Demand } from './chat/demand.js';
import type { JsonObject } from './json.js';

const LONG = 'A'.repeat(100_000);

function demandOf(protocol: ClientProtocolName, parsed: JsonObject): Demand {
  return findChatProtocol(protocol).readDemand(Buffer.from(JSON.stringify(parsed)), parsed);
}

const chat = (part: unknown) => ({ messages: [{ role: 'user', content: [part] }] });
const responses = (part: unknown) => ({ input: [{ role: 'user', content: [part] }] });
const messages = (block: unknown) => ({ messages: [{ role: 'user', content: [block] }] });
const result = (block: unknown) => messages({ type: 'tool_result', tool_use_id: 't', content: [block] });
const gemini = (part: unknown) => ({ contents: [{ role: 'user', parts: [part] }] });

/** Sent by a caller, and the field whose tokens the body does not bound. */
const BEYOND: readonly [ClientProtocolName, JsonObject, string][] = [
  ['openai-chat', chat({ type: 'file', file: { file_id: 'f' } }), 'messages[0].content[0]'],
  ['openai-chat', chat({ type: 'file', file: { file_data: LONG } }), 'messages[0].content[0]'],
  [
    'openai-chat',
    chat({ type: 'video_url', video_url: { url: 'https://a/b.mp4' } }),
    'messages[0].content[0]',
  ],
  ['openai-chat', chat({ type: 'document_url', document_url: 'https://a/b' }), 'messages[0].content[0]'],
  [
    'openai-chat',
    chat({ type: 'image_url', image_url: { url: 'https://a/b.PDF?x' } }),
    'messages[0].content[0].image_url',
  ],
  [
    'openai-chat',
    chat({ type: 'image_url', image_url: { url: 'data:application/pdf;base64,AA' } }),
    'messages[0].content[0].image_url',
  ],
  [
    'openai-chat',
    chat({ type: 'input_audio', input_audio: { format: 'flac', data: 'AA' } }),
    'messages[0].content[0].input_audio',
  ],
  ['openai-chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'messages[0].audio'],
  ['openai-responses', responses({ type: 'input_file', file_url: 'https://a/b' }), 'input[0].content[0]'],
  ['openai-responses', responses({ type: 'input_file', file_id: 'f' }), 'input[0].content[0]'],
  ['openai-responses', responses({ type: 'input_file', file_data: LONG }), 'input[0].content[0]'],
  ['openai-responses', { input: [{ type: 'item_reference', id: 'i' }] }, 'input[0]'],
  ['openai-responses', { input: [{ type: 'image_generation_call', id: 'i' }] }, 'input[0]'],
  [
    'openai-responses',
    { input: [{ type: 'function_call_output', output: [{ type: 'input_file', file_id: 'f' }] }] },
    'input[0].output[0]',
  ],
  [
    'anthropic-messages',
    messages({ type: 'document', source: { type: 'url', url: 'https://a/b.pdf' } }),
    'messages[0].content[0].source',
  ],
  [
    'anthropic-messages',
    messages({ type: 'document', source: { type: 'base64', data: LONG } }),
    'messages[0].content[0].source',
  ],
  [
    'anthropic-messages',
    result({ type: 'document', source: { type: 'file', file_id: 'f' } }),
    'messages[0].content[0].content[0].source',
  ],
  [
    'anthropic-messages',
    messages({ type: 'image', source: { type: 'url', url: 'https://a/b.pdf' } }),
    'messages[0].content[0].source',
  ],
  [
    'openai-responses',
    responses({ type: 'input_image', image_url: 'https://a/b.mp4' }),
    'input[0].content[0].image_url',
  ],
  ['anthropic-messages', messages({ type: 'container_upload', file_id: 'f' }), 'messages[0].content[0]'],
  ['anthropic-messages', { ...messages({ type: 'text', text: 'x' }), container: 'c' }, 'container'],
  [
    'anthropic-messages',
    { ...messages({ type: 'text', text: 'x' }), mcp_servers: [{ url: 'https://a' }] },
    'mcp_servers',
  ],
  [
    'gemini-generate',
    gemini({ fileData: { mimeType: 'application/pdf', fileUri: 'https://a/b' } }),
    'contents[0].parts[0].fileData',
  ],
  ['gemini-generate', gemini({ file_data: { file_uri: 'https://a/b' } }), 'contents[0].parts[0].fileData'],
  [
    'gemini-generate',
    gemini({ fileData: { mimeType: 'image/png', fileUri: 'https://www.youtube.com/watch?v=1' } }),
    'contents[0].parts[0].fileData',
  ],
  [
    'gemini-generate',
    gemini({ inlineData: { mimeType: 'video/mp4', data: LONG } }),
    'contents[0].parts[0].inlineData',
  ],
  [
    'gemini-generate',
    gemini({ inline_data: { mime_type: 'application/pdf', data: LONG } }),
    'contents[0].parts[0].inlineData',
  ],
  [
    'gemini-generate',
    gemini({ functionResponse: { parts: [{ fileData: { fileUri: 'files/1' } }] } }),
    'contents[0].parts[0].functionResponse.parts[0].fileData',
  ],
  [
    'gemini-generate',
    { ...gemini({ text: 'x' }), systemInstruction: { parts: [{ fileData: { fileUri: 'files/1' } }] } },
    'systemInstruction.parts[0].fileData',
  ],
  ['gemini-generate', { ...gemini({ text: 'x' }), cachedContent: 'cachedContents/1' }, 'cachedContent'],
];

const IMAGES: readonly [ClientProtocolName, JsonObject][] = [
  ['openai-chat', chat({ type: 'image_url', image_url: { url: `data:image/png;base64,${LONG}` } })],
  ['openai-chat', chat({ type: 'image_url', image_url: { url: 'https://a/b' } })],
  ['openai-responses', responses({ type: 'input_image', image_url: `data:image/png;base64,${LONG}` })],
  ['openai-responses', responses({ type: 'input_image', file_id: 'f' })],
  [
    'openai-responses',
    {
      input: [
        {
          type: 'computer_call_output',
          output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${LONG}` },
        },
      ],
    },
  ],
  ['anthropic-messages', messages({ type: 'image', source: { type: 'base64', data: LONG } })],
  ['anthropic-messages', result({ type: 'image', source: { type: 'url', url: 'https://a/b' } })],
  ['gemini-generate', gemini({ inlineData: { mimeType: 'image/png', data: LONG } })],
  ['gemini-generate', gemini({ fileData: { mimeType: 'image/png', fileUri: 'https://a/b.png' } })],
];

const TEXTS: readonly [ClientProtocolName, JsonObject][] = [
  ['openai-chat', chat({ type: 'text', text: LONG })],
  ['openai-chat', chat({ type: 'input_audio', input_audio: { format: 'mp3', data: LONG } })],
  ['openai-responses', responses({ type: 'input_text', text: LONG })],
  ['openai-responses', { input: [{ type: 'shell_call_output', output: [{ stdout: LONG, stderr: '' }] }] }],
  ['openai-completions', { prompt: LONG }],
  ['anthropic-messages', messages({ type: 'document', source: { type: 'text', data: LONG } })],
  ['anthropic-messages', result({ type: 'text', text: LONG })],
  ['gemini-generate', gemini({ text: LONG, thoughtSignature: 's' })],
  ['gemini-generate', gemini({ inlineData: { mimeType: 'text/plain', data: LONG } })],
];

describe('F2, H2c: what bounds a prompt', () => {
  it.each(BEYOND)('%s: the body does not bound %j', (protocol, body, param) => {
    expect(demandOf(protocol, body).unboundedField).toBe(param);
  });

  it.each(IMAGES)('%s: an image counts as one, not by its bytes', (protocol, body) => {
    const demand = demandOf(protocol, body);
    expect(demand).toMatchObject({ images: 1, unboundedField: undefined });
    expect(demand.textBytes).toBeLessThan(1_000);
  });

  it.each(TEXTS)('%s: a text counts by its bytes', (protocol, body) => {
    const demand = demandOf(protocol, body);
    expect(demand).toMatchObject({ images: 0, unboundedField: undefined });
    expect(demand.textBytes).toBeGreaterThan(LONG.length);
  });

  it.each<[ClientProtocolName, JsonObject]>([
    ['openai-chat', messages({ type: 'input_audio', input_audio: { data: LONG, format: 'wav' } })],
    ['gemini-generate', gemini({ inlineData: { mimeType: 'audio/mp3', data: LONG } })],
    ['gemini-generate', gemini({ inlineData: { mimeType: 'text/plain', data: LONG } })],
  ])('%s: says of files whose bytes bound their tokens that no tokenizer counts them', (protocol, body) => {
    expect(demandOf(protocol, body)).toMatchObject({ unboundedField: undefined, hasMedia: true });
    expect(demandOf('openai-chat', messages({ type: 'text', text: LONG })).hasMedia).toBe(false);
  });

  it.each<[ClientProtocolName, JsonObject]>([
    ['openai-chat', { messages: [], modalities: ['text', 'audio'], audio: { voice: 'alloy' } }],
    ['openai-chat', { messages: [], best_of: 8 }],
    ['openai-completions', { prompt: 'x', best_of: 8 }],
    ['gemini-generate', { contents: [], generationConfig: { responseModalities: ['AUDIO'] } }],
  ])('%s: says of answers that are not all shown as text, %j', (protocol, body) => {
    expect(demandOf(protocol, body).hidesOutput).toBe(true);
    expect(demandOf(protocol, { messages: [], modalities: ['text'], best_of: 1 }).hidesOutput).toBe(false);
  });

  it('counts a rejected prediction, which no cap counts', () => {
    const demand = demandOf('openai-chat', { messages: [], prediction: { type: 'content', content: LONG } });
    expect(demand.extraOutputTokens).toBeGreaterThan(LONG.length);
  });
});

/** A request's tools, and what they cost. */
const TOOLS: readonly [ClientProtocolName, JsonObject, string, string, number | undefined][] = [
  ['openai-chat', { web_search_options: {} }, 'web_search_options', 'per_web_search', 1],
  ['openai-chat', { tools: [{ type: 'browser_search' }] }, 'tools[0].type', 'unknown', 0],
  ['openai-chat', { tools: [{ type: 'builtin_function' }] }, 'tools[0].type', 'unknown', 0],
  ['openai-chat', { enable_search: true }, 'enable_search', 'unknown', 0],
  ['openai-chat', { search_parameters: { mode: 'on' } }, 'search_parameters', 'unknown', 0],
  ['openai-responses', { tools: [{ type: 'web_search' }] }, 'tools[0].type', 'per_web_search', undefined],
  [
    'openai-responses',
    { tools: [{ type: 'web_search_preview' }], max_tool_calls: 3 },
    'tools[0].type',
    'per_web_search',
    3,
  ],
  ['openai-responses', { tools: [{ type: 'file_search' }] }, 'tools[0].type', 'per_file_search', undefined],
  [
    'openai-responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    'tools[0].type',
    'per_code_session',
    1,
  ],
  [
    'openai-responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } }] },
    'tools[0].type',
    'unknown',
    undefined,
  ],
  [
    'openai-responses',
    { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] },
    'tools[0].type',
    'per_code_session',
    1,
  ],
  ['openai-responses', { tools: [{ type: 'image_generation' }] }, 'tools[0].type', 'unknown', undefined],
  ['openai-responses', { tools: [{ type: 'mcp' }] }, 'tools[0].type', 'tokens', undefined],
  [
    'openai-responses',
    { tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] },
    'tools[0].tools[0].type',
    'per_web_search',
    undefined,
  ],
  [
    'anthropic-messages',
    { tools: [{ type: 'web_search_20250305', max_uses: 8 }] },
    'tools[0].type',
    'per_web_search',
    8,
  ],
  [
    'anthropic-messages',
    { tools: [{ type: 'web_search_20260209' }] },
    'tools[0].type',
    'per_web_search',
    undefined,
  ],
  ['anthropic-messages', { tools: [{ type: 'web_fetch_20250910' }] }, 'tools[0].type', 'tokens', undefined],
  [
    'anthropic-messages',
    { tools: [{ type: 'code_execution_20250825' }] },
    'tools[0].type',
    'per_code_session',
    1,
  ],
  ['anthropic-messages', { tools: [{ type: 'advisor_20260301' }] }, 'tools[0].type', 'unknown', 0],
  ['anthropic-messages', { mcp_servers: [{ url: 'https://a' }] }, 'mcp_servers', 'tokens', 0],
  ['gemini-generate', { tools: [{ googleSearch: {} }] }, 'tools[0].googleSearch', 'per_web_search', 20],
  ['gemini-generate', { tools: [{ google_search: {} }] }, 'tools[0].google_search', 'per_web_search', 20],
  ['gemini-generate', { tools: [{ codeExecution: {} }] }, 'tools[0].codeExecution', 'tokens', 0],
  ['gemini-generate', { tools: [{ urlContext: {} }] }, 'tools[0].urlContext', 'tokens', 0],
  ['gemini-generate', { tools: [{ googleMaps: {} }] }, 'tools[0].googleMaps', 'unknown', 0],
];

/** Tools that the caller runs. */
const OWN_TOOLS: readonly [ClientProtocolName, JsonObject][] = [
  ['openai-chat', { tools: [{ type: 'function' }, { type: 'custom' }, { function: {} }] }],
  ['openai-chat', { enable_search: false, functions: [{ name: 'f' }] }],
  [
    'openai-responses',
    {
      tools: ['function', 'custom', 'local_shell', 'apply_patch', 'computer_use_preview'].map((type) => ({
        type,
      })),
    },
  ],
  [
    'openai-responses',
    {
      tools: [
        { type: 'shell', environment: { type: 'local' } },
        { type: 'tool_search', execution: 'client' },
      ],
    },
  ],
  [
    'anthropic-messages',
    { tools: [{ name: 'f' }, { type: 'custom' }, { type: 'bash_20250124' }, { type: 'memory_20250818' }] },
  ],
  [
    'gemini-generate',
    { tools: [{ functionDeclarations: [] }, { function_declarations: [] }, { computerUse: {} }] },
  ],
];

const TIERS: readonly [ClientProtocolName, JsonObject, { param: string; name: string } | undefined][] = [
  ['openai-chat', { service_tier: 'priority' }, { param: 'service_tier', name: 'priority' }],
  ['openai-chat', { service_tier: 'auto' }, undefined],
  ['openai-responses', { service_tier: 'flex' }, { param: 'service_tier', name: 'flex' }],
  ['openai-responses', { service_tier: 'default' }, undefined],
  ['openai-completions', { service_tier: 'priority' }, { param: 'service_tier', name: 'priority' }],
  ['anthropic-messages', { service_tier: 'standard_only' }, undefined],
  ['anthropic-messages', { speed: 'fast' }, { param: 'speed', name: 'fast' }],
  ['anthropic-messages', { speed: 'fast', inference_geo: 'us' }, { param: 'speed', name: 'fast+us' }],
  ['anthropic-messages', { inference_geo: 'global' }, undefined],
  ['gemini-generate', { serviceTier: 'PRIORITY' }, { param: 'serviceTier', name: 'priority' }],
  ['gemini-generate', { service_tier: 'standard' }, undefined],
];

describe('H4: what a provider does by itself', () => {
  it.each(TOOLS)('%s: %j', (protocol, body, param, fee, uses) => {
    expect(demandOf(protocol, body).tools).toEqual([expect.objectContaining({ param, fee, uses })]);
  });

  it.each(OWN_TOOLS)('%s: the caller runs %j', (protocol, body) => {
    expect(demandOf(protocol, body).tools).toEqual([]);
  });

  it.each(TIERS)('%s: the tier of %j', (protocol, body, tier) => {
    expect(demandOf(protocol, body).tier).toEqual(tier);
  });

  it('counts every summary of the conversation as a prompt and an answer more', () => {
    const edits = [{ type: 'clear_tool_uses_20250919' }, { type: 'compact_20260112' }];
    expect(demandOf('anthropic-messages', { context_management: { edits } }).compactions).toBe(1);
    expect(demandOf('openai-responses', { context_management: [{ type: 'compaction' }] }).compactions).toBe(
      1,
    );
    const triggered = demandOf('openai-responses', { input: [{ type: 'compaction_trigger' }] });
    expect(triggered).toMatchObject({ compactions: 1, unboundedField: undefined });
  });

  it.each<[ClientProtocolName, JsonObject, string]>([
    ['anthropic-messages', { tools: [{ type: 'web_search_20250305', max_uses: -1 }] }, 'tools[0].max_uses'],
    ['openai-responses', { tools: [{ type: 'web_search' }], max_tool_calls: '9' }, 'max_tool_calls'],
  ])('%s: refuses a limit that is no count: %j', (protocol, body, param) => {
    expect(() => demandOf(protocol, body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it('writes a limit where the caller set none, and keeps every other byte', () => {
    const limit = (protocol: ClientProtocolName, text: string) => {
      const parsed = JSON.parse(text) as JsonObject;
      const { limitTools, editRequest } = findChatProtocol(protocol);
      const members = Object.entries(limitTools?.(parsed, 5) ?? {}).map(
        ([name, value]) => [name, Buffer.from(JSON.stringify(value))] as const,
      );
      const edits = { model: 'm', forceUsage: false, cap: undefined, traits: {}, members: new Map(members) };
      const envelope = { model: 'm', parsed } as unknown as ChatEnvelope;
      return editRequest(Buffer.from(text), envelope, edits).toString();
    };
    expect(limit('openai-responses', '{ "tools":[{"type":"web_search"}]}')).toBe(
      '{"max_tool_calls":5, "tools":[{"type":"web_search"}]}',
    );
    const body = '{"max_tool_calls":2,"tools":[{"type":"web_search"}]}';
    expect(limit('openai-responses', body)).toBe(body);
    expect(
      limit('anthropic-messages', '{"x": 1, "tools":[{"type":"web_search_20250305"},{"name":"f"}]}'),
    ).toBe('{"x": 1, "tools":[{"type":"web_search_20250305","max_uses":5},{"name":"f"}]}');
    const own = '{"tools":[{"name":"f","n":12345678901234567890}]}';
    expect(limit('anthropic-messages', own)).toBe(own);
  });
});
