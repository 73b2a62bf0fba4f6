import { GatewayError } from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { measureGrowth } from '../testing/cpu-time.js';
import { BODY_LIMITS } from './json-limits.js';
import { JsonScanner } from './json-scanner.js';
import { GEMINI_NAMES, SNAKE_NAMES } from './known-names.js';
import { scanBody } from './scanned-body.js';

function scan(text: string | Buffer, names = SNAKE_NAMES, pieceBytes = Infinity) {
  const body = Buffer.from(text);
  const scanner = new JsonScanner(names, BODY_LIMITS);
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = Buffer.from(body.subarray(at, at + pieceBytes));
    scanner.push(piece);
    // What was read is freed by whoever received it.
    piece.fill(0);
  }
  return scanner.end();
}

/** The `param` that a body is refused with, whole and in pieces; `undefined` when it is taken. */
function refuse(text: string | Buffer, names = SNAKE_NAMES): string | undefined {
  const [param, ...others] = [Infinity, 1, 2, 7].map((pieceBytes) => {
    try {
      scan(text, names, pieceBytes);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'invalid_request') throw error;
      return error.param;
    }
  });
  expect(others).toEqual(others.map(() => param));
  return param;
}

describe('JsonScanner', () => {
  it('does not search for each of many escaped quotes that follow each other', () => {
    const searched = vi.spyOn(String.prototype, 'indexOf');
    scan(`{"x":"${'\\"'.repeat(10_000)}"}`);
    const { calls } = searched.mock;
    searched.mockRestore();
    expect(calls.length).toBeLessThan(2_000);
  });

  it('finds the end of a long string wherever its escapes stand and however it is cut', () => {
    const run = fc.constantFrom('a', '\\', '"', '\n', 'x'.repeat(255), 'x'.repeat(256), 'y'.repeat(300));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), fc.integer({ min: 1, max: 700 }), (runs, pieceBytes) => {
        const text = JSON.stringify({ a: runs.join(''), b: 1 });
        const spans = scan(text, SNAKE_NAMES, pieceBytes).map(({ key, valueStart, valueEnd }) => [
          key,
          text.slice(valueStart, valueEnd),
        ]);
        expect(spans).toEqual([
          ['a', JSON.stringify(runs.join(''))],
          ['b', '1'],
        ]);
      }),
    );
  });

  it('reports the members of any JSON object and where their values stand, however it is cut', () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 8 });
    const anyObject = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(
        anyObject,
        fc.constantFrom(0, 2, '\t', '\r\n '),
        fc.integer({ min: 1, max: 40 }),
        (value, space, pieceBytes) => {
          const text = JSON.stringify(value, null, space);
          fc.pre(refuse(text) === undefined);
          const members = scan(text, SNAKE_NAMES, pieceBytes);
          const bytes = Buffer.from(text);
          const read = members.map(({ key, keyStart, valueStart, valueEnd }) => {
            expect(bytes.toString('utf8', keyStart).startsWith(JSON.stringify(key))).toBe(true);
            return [key, JSON.parse(bytes.toString('utf8', valueStart, valueEnd)) as unknown];
          });
          expect(Object.fromEntries(read)).toEqual(JSON.parse(text));
          expect(read).toHaveLength(Object.keys(value).length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['{"model":"a","model":"b"}', 'model'],
    ['{"model":"a","n":1,"\\u006dodel":"b"}', 'model'],
    ['{"é":1,"\\u00e9":2}', 'é'],
    ['{"stream_options":{"include_usage":true,"include_usage":false}}', 'stream_options.include_usage'],
    [
      '{"messages":[{"role":"user"},{"role":"user","content":[{"type":"a","type":"b"}]}]}',
      'messages[1].content[0].type',
    ],
    ['{"tools":[{"function":{"parameters":{"x":1,"x":2}}}]}', 'tools[0].function.parameters.x'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [`{${Array.from({ length: 60 }, (_, index) => `"k${index}":0`).join(',')},"k3":1}`, 'k3'],
  ])('H1: refuses a name that one object has twice: %s', (text, param) => {
    expect(refuse(text)).toBe(param);
  });

  it.each([
    ['{"model":"a","Model":"b"}', 'Model'],
    ['{"MAX_TOKENS":5}', 'MAX_TOKENS'],
    ['{"maX_token\u017f":5}', 'maX_token\u017f'],
    ['{"max_to\u212aens":5}', 'max_to\u212aens'],
    ['{"max_to\\u212aens":5}', 'max_to\u212aens'],
    ['{"\\u004dodel":"a"}', 'Model'],
    ['{"d\u0131mensions":2}', 'd\u0131mensions'],
    ['{"stream_options":{"Include_Usage":true}}', 'stream_options.Include_Usage'],
    ['{"messages":[{"role":"user","Content":"x"}]}', 'messages[0].Content'],
    ['{"tools":[{"Type":"web_search"}]}', 'tools[0].Type'],
  ])('H1: refuses a name that reads like a known one: %s', (text, param) => {
    expect(refuse(text)).toBe(param);
  });

  it.each([
    ['{"generationConfig":{},"generation_config":{}}', 'generation_config'],
    [
      '{"generationConfig":{"maxOutputTokens":1,"max_output_tokens":9}}',
      'generationConfig.max_output_tokens',
    ],
    ['{"GenerationConfig":{}}', 'GenerationConfig'],
    ['{"generationConfig":{"max_outputTokens":9}}', 'generationConfig.max_outputTokens'],
    ['{"contents":[{"parts":[{"inlineData":{},"inline_data":{}}]}]}', 'contents[0].parts[0].inline_data'],
  ])("H1: takes Google's two spellings of a name for one: %s", (text, param) => {
    expect(refuse(text, GEMINI_NAMES)).toBe(param);
  });

  it.each([
    '{"generation_config":{"max_output_tokens":1},"contents":[{"parts":[{"inline_data":{}}]}]}',
    '{"generationConfig":{"maxOutputTokens":1,"responseSchema":{"properties":{"Model":{},"model":{}}}}}',
  ])('takes either spelling alone: %s', (text) => {
    expect(refuse(text, GEMINI_NAMES)).toBeUndefined();
  });

  it.each([
    '{"\\u006dodel":"a"}',
    '{"x_mine":1,"X_Mine":2}',
    '{"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"Model":{"Type":1},"model":{}}}}}]}',
    '{"messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"Model":1,"model":2}}]}]}',
    '{"metadata":{"User":"a","user":"b"}}',
    '{"x_mine":{"Model":"a","model":"b"}}',
    '{"a":"\\"model\\":1,\\\\","b":"}]\\\\\\"","c":[[],{},"",null,true,-1.5e-3]}',
    ' \r\n\t{ } \n',
    '{"input":[{"role":"user"}],"n":1e2,"temperature":1.0}',
    `{"id":${'9'.repeat(100)}}`,
  ])('takes %s', (text) => {
    expect(refuse(text)).toBeUndefined();
  });

  it.each([
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'body'],
    [`{"a":{"b":[${'1'.repeat(129)}]}}`, 'a'],
    ['{"a":[1e999]}', 'a'],
    ['{"a":-1E400}', 'a'],
    [`{"a":{"${'k'.repeat(5_000)}":1}}`, 'a'],
    ['{"a":{"\\u0000":1}}', 'a'],
    ['{"a":1,"b\\u0000":1}', 'b\uFFFD'],
    ['{"a":{"\\ud800":1}}', 'a'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'body'],
    [Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xe2, 0x82])]), 'body'],
    ['{"a":1} {"a":2}', 'body'],
    ['{"a":1', 'body'],
    ['{"a":"1', 'body'],
    ['{"a":1}}', 'body'],
    ['no json', 'body'],
    ['x'.repeat(1_000), 'body'],
  ])('refuses %s', (text, param) => {
    expect(refuse(text)).toBe(param);
  });

  it('M5: refuses bombs before they are parsed, and takes what clients really send', () => {
    const repeat = (text: string, count: number) => Array.from({ length: count }, () => text).join(',');
    expect(refuse(`{"a":[${repeat('[]', 50_001)}]}`)).toBe('a');
    expect(refuse(`{"a":[${repeat('"x"', 100_001)}]}`)).toBe('a');
    expect(refuse(`{"a":[${repeat('{"b":1,"c":2}', 50_001)}]}`)).toBe('a');
    const message = JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'x' }] });
    expect(scan(`{"messages":[${repeat(message, 2_048)}]}`)).toHaveLength(1);
    expect(scan(`{"input":[${repeat(`[${repeat('7', 8_192)}]`, 36)}]}`)).toHaveLength(1);
  });

  it.each([
    ['escaped quotes', '{"a":"', '\\"', '"}'],
    ['spaces', '{', ' ', '}'],
    ['open brackets in a string', '{"a":"', '[', '"}'],
    ['numbers', '{"a":[0', ',1', ']}'],
    ['names of one object', '{"a":{"b":0', ',"$":1', '}}'],
  ])('takes time in proportion to the length of %s', (_what, head, unit, tail) => {
    const growth = measureGrowth(1_200, (count) => {
      const units = Array.from({ length: count }, (_, index) => unit.replace('$', String(index)));
      scan(Buffer.from(head + units.join('') + tail));
    });
    expect(growth).toBeLessThan(24);
  });
});

describe('scanBody', () => {
  it('scans a body once', () => {
    const body = Buffer.from('{"model":"a"}');
    expect(scanBody(body)).toBe(scanBody(body));
    expect(scanBody(body)).toMatchObject([{ key: 'model', keyStart: 1, valueStart: 9, valueEnd: 12 }]);
  });
});

it.each(['responseJsonSchema', '_responseJsonSchema', 'response_json_schema'])(
  "clients 1: takes %s, as Google's SDKs write it",
  (name) => {
    expect(refuse(`{"tools":[{"${name}":{"type":"string"}}]}`, GEMINI_NAMES)).toBeUndefined();
  },
);
