import { describe, expect, it, vi } from 'vitest';
import { findCodec, type ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { knownSchemas } from '../gemini-generate/schema.js';
import { flattenName, listFlatNames } from '../openai-responses/caller-tools.js';
import { structuredSchemas } from './adapt-schema.js';
import { CallIds, readCallId } from './call-ids.js';
import { packSignature, unpackSignature } from './carry-signature.js';
import { correctMediaType, parseDataUrl } from './media-type.js';
import { nameField } from './name-field.js';
import { nameOpaque } from './name-opaque.js';
import { strictSchemas } from './schema-rules.js';
import { adaptToolName, restoreToolName } from './tool-name.js';

const MEBIBYTE = 1024 * 1024;
const LONG_ID = `call:${'\u{1F600}'.repeat(MEBIBYTE)}`;
/** So many names of a kilobyte. */
function repeatNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${'n'.repeat(1_020)}${at}`);
}
const ARGUMENTS = { name: 'f', arguments: '{}' };

function decode(from: ProtocolName, body: JsonObject) {
  return findCodec(from).decodeRequest(body, 'm', false);
}

/** A conversation with one call of a tool, and its result. */
const CALLS: readonly (readonly [ProtocolName, (id: string, name: string) => JsonObject])[] = [
  [
    'openai-chat',
    (id, name) => ({
      messages: [
        { role: 'assistant', tool_calls: [{ id, type: 'function', function: { ...ARGUMENTS, name } }] },
        { role: 'tool', tool_call_id: id, content: 'r' },
      ],
    }),
  ],
  [
    'openai-responses',
    (id, name) => ({
      input: [
        { ...ARGUMENTS, type: 'function_call', call_id: id, name },
        { type: 'function_call_output', call_id: id, output: 'r' },
      ],
    }),
  ],
  [
    'anthropic-messages',
    (id, name) => ({
      max_tokens: 5,
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }] },
      ],
    }),
  ],
  [
    'gemini-generate',
    (id, name) => ({
      contents: [
        { role: 'model', parts: [{ functionCall: { id, name, args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { id, name, response: { output: 'r' } } }] },
      ],
    }),
  ],
];

/** A tool that a client declares. */
const TOOLS: readonly (readonly [ProtocolName, (name: string) => JsonObject, string])[] = [
  [
    'openai-chat',
    (name) => ({ messages: [], tools: [{ type: 'function', function: { name } }] }),
    'tools[0].function.name',
  ],
  ['openai-responses', (name) => ({ input: 'a', tools: [{ type: 'function', name }] }), 'tools[0].name'],
  [
    'anthropic-messages',
    (name) => ({ max_tokens: 5, messages: [], tools: [{ name, input_schema: {} }] }),
    'tools[0].name',
  ],
  [
    'gemini-generate',
    (name) => ({
      contents: [{ parts: [{ text: 'a' }] }],
      tools: [{ functionDeclarations: [{ name }] }],
    }),
    'tools[0].functionDeclarations[0].name',
  ],
];

describe('T25: names and ids that a caller makes long are looked at within bounds', () => {
  it.each(CALLS)('ids of calls of %s become short ones, the same for call and result', (from, write) => {
    const idsOf = (id: string) =>
      decode(from, write(id, 'f')).turns.flatMap(({ blocks }) =>
        blocks.flatMap((block) =>
          block.type === 'tool-call' ? [block.id] : block.type === 'tool-result' ? [block.callId] : [],
        ),
      );
    expect(idsOf('c'.repeat(512))).toEqual(['c'.repeat(512), 'c'.repeat(512)]);
    const [ofCall, ofResult] = idsOf(LONG_ID);
    expect(ofCall?.length).toBeLessThan(64);
    expect(ofResult).toBe(ofCall);
  });

  it.each(CALLS)('names of called tools of %s', (from, write) => {
    expect(decode(from, write('c', 'n'.repeat(1_024))).turns).toHaveLength(2);
    expect(() => decode(from, write('c', 'n'.repeat(1_025)))).toThrow('must have at most 1024 characters');
  });

  it.each(TOOLS)('names of tools that %s declares', (from, write, param) => {
    expect(decode(from, write('n'.repeat(1_024))).tools).toHaveLength(1);
    expect(() => decode(from, write('n'.repeat(1_025)))).toThrow(
      `${param} must have at most 1024 characters.`,
    );
  });

  it('names of chosen tools', () => {
    const tools = [{ type: 'function', name: 'n'.repeat(1_025) }];
    const allowed = { type: 'allowed_tools', tools };
    const ofGoogle = { functionCallingConfig: { allowedFunctionNames: ['n'.repeat(1_025)] } };
    const contents = [{ parts: [{ text: 'a' }] }];
    expect(() => decode('openai-chat', { messages: [], tool_choice: allowed })).toThrow('1024 characters');
    expect(() => decode('openai-responses', { input: 'a', tool_choice: allowed })).toThrow('1024 characters');
    expect(() => decode('gemini-generate', { contents, toolConfig: ofGoogle })).toThrow('1024 characters');
  });

  it('no character of them is replaced', () => {
    const replaced = vi.spyOn(String.prototype, 'replaceAll');
    const long = `mgx_${'_00e4'.repeat(MEBIBYTE)}`;
    expect(adaptToolName(long, { pattern: /^a$/, maxLength: 64 })).toBeUndefined();
    expect(restoreToolName(long)).toBe(long);
    expect(new CallIds().add(`${'x:'.repeat(50)}`)).toMatch(/^call_[0-9a-f]{35}$/);
    expect(new CallIds().add('a::b')).toBe('a_b');
    expect(replaced.mock.calls).toHaveLength(1);
    replaced.mockRestore();
  });

  it('two long ids that differ at an end stay two', () => {
    const ids = ['a', 'b'].flatMap((mark) => [readCallId(LONG_ID + mark), readCallId(mark + LONG_ID)]);
    expect(new Set(ids).size).toBe(4);
  });

  it('a namespace is not copied for each of its tools', () => {
    const cut = vi.spyOn(String.prototype, 'slice');
    const tools = Array.from({ length: 100 }, (_, at) => ({ type: 'function', name: `f${at}` }));
    const names = listFlatNames({ type: 'namespace', name: 'n'.repeat(MEBIBYTE), tools });
    const lengths = cut.mock.contexts.map((text) => String(text).length);
    cut.mockRestore();
    expect(new Set(names).size).toBe(100);
    expect(lengths.filter((length) => length > MEBIBYTE)).toEqual([]);
    expect(flattenName('n', 'f')).toBe('n__f');
    expect(flattenName('n'.repeat(60), 'f_g')).toMatch(/^n{53}_[0-9a-f]{10}$/);
  });

  it('settings are looked for at the beginning of a name alone', () => {
    const client = { fieldNames: { messages: 'contents' } };
    const looked = vi.spyOn(Object, 'hasOwn');
    expect(nameField(`messages${'.'.repeat(10_000)}`, client).slice(0, 10)).toBe('contents..');
    expect(looked.mock.calls.length).toBeLessThan(200);
    looked.mockRestore();
    expect(nameField('messages.a', client)).toBe('contents.a');
  });

  it('a kind of content is named by its beginning', () => {
    const raw = { type: 't'.repeat(MEBIBYTE) };
    expect(nameOpaque({ type: 'opaque', protocol: 'openai-chat', raw })).toHaveLength(200);
  });

  it('media types that are none stay as they are', () => {
    expect(correctMediaType('IMAGE/JPG')).toBe('image/jpeg');
    const long = `IMAGE/${'Ä'.repeat(MEBIBYTE)}`;
    expect(correctMediaType(long)).toBe(long);
  });

  it('what stands before the data of a URL is not brought into small letters', () => {
    const lowered = vi.spyOn(String.prototype, 'toLowerCase');
    const long = 'Ä'.repeat(900);
    expect(parseDataUrl(`data:image/png;${long}; BASE64 ;a=b,AAAA`)).toEqual({
      mediaType: 'image/png',
      base64: 'AAAA',
    });
    expect(parseDataUrl(`data:${long};base64x=base64,a`)?.base64).toBe('YQ==');
    const lengths = lowered.mock.contexts.map((text) => String(text).length);
    lowered.mockRestore();
    expect(Math.max(...lengths)).toBeLessThan(20);
  });

  it('properties that a schema requires are as many as a body can name', () => {
    const schema = { type: 'object', properties: { a: {} }, additionalProperties: false };
    const write = (length: number) => ({ ...schema, required: ['a', ...repeatNames(length)] });
    expect([100, 1_100].map((count) => strictSchemas.of(write(count)))).toEqual([true, false]);
    const merge = (count: number) => knownSchemas.of({ allOf: [write(count)] }).schema;
    expect(merge(100)).toMatchObject({ required: ['a', ...repeatNames(100)] });
    expect(merge(1_100)).not.toHaveProperty('required');
  });

  it('long rules of a schema are not put into its description', () => {
    const write = (pattern: unknown) => structuredSchemas.of({ type: 'string', description: 'd', pattern });
    expect(write('a+')).toEqual({ type: 'string', description: 'd (pattern: "a+")' });
    expect(write('a'.repeat(1_000))).toEqual({ type: 'string', description: 'd' });
  });
});

describe('T25: carried signatures of one turn are read within bounds', () => {
  const carry = (characters: number) =>
    packSignature({ protocol: 'gemini-generate', value: 'v'.repeat((characters * 3) / 4) }, 'thought');
  const half = carry(MEBIBYTE);

  it('one that is longer is of its own protocol', () => {
    expect(unpackSignature(half)?.signature.protocol).toBe('gemini-generate');
    expect(unpackSignature(carry(2 * MEBIBYTE + 4))).toBeUndefined();
  });

  it.each<[ProtocolName, (signatures: readonly string[]) => JsonObject]>([
    [
      'openai-chat',
      (signatures) => ({
        messages: [
          {
            role: 'assistant',
            content: 'a',
            thinking_blocks: signatures.map((signature) => ({ type: 'thinking', thinking: 'a', signature })),
          },
        ],
      }),
    ],
    [
      'openai-chat',
      (signatures) => ({
        messages: [
          {
            role: 'assistant',
            tool_calls: signatures.map((thought_signature) => ({
              id: 'a',
              function: ARGUMENTS,
              extra_content: { google: { thought_signature } },
            })),
          },
        ],
      }),
    ],
    [
      'openai-chat',
      (signatures) => ({
        messages: [
          {
            role: 'assistant',
            content: 'a',
            reasoning_details: signatures.map((signature) => ({
              type: 'reasoning.text',
              text: 'a',
              signature,
            })),
          },
        ],
      }),
    ],
    [
      'anthropic-messages',
      (signatures) => ({
        max_tokens: 5,
        messages: [
          {
            role: 'assistant',
            content: signatures.map((signature) => ({ type: 'thinking', thinking: 'a', signature })),
          },
        ],
      }),
    ],
    [
      'gemini-generate',
      (signatures) => ({
        contents: [
          {
            role: 'model',
            parts: signatures.map((thoughtSignature) => ({ text: 'a', thought: true, thoughtSignature })),
          },
        ],
      }),
    ],
  ])('those of a turn of %s', (from, write) => {
    expect(decode(from, write([half])).turns).toHaveLength(1);
    expect(() => decode(from, write([half, half]))).toThrow('must hold at most 2097152 characters');
  });

  it('other facts of a detail count, too', () => {
    const details = [{ type: 'reasoning.text', text: 'a', signature: 's', of: ['a'.repeat(MEBIBYTE)] }];
    const message = { role: 'assistant', content: 'a', reasoning_details: details };
    expect(() => decode('openai-chat', { messages: [message] })).toThrow(
      'reasoning_details must hold at most',
    );
  });
});
