import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { scanBody } from '../strict-json/scanned-body.js';
import { editGeminiRequest } from './edit-request.js';

/** Whether no member is another spelling of a name that the gateway knows: those are refused. */
function isRead(body: object): boolean {
  try {
    scanBody(Buffer.from(JSON.stringify(body)), GEMINI_NAMES);
    return true;
  } catch {
    return false;
  }
}

const edit = (text: string, cap?: number) => editGeminiRequest(Buffer.from(text), { cap }).toString();

describe('editGeminiRequest', () => {
  it('returns the same bytes when nothing has to change', () => {
    const body = Buffer.from('{ "contents" : [ ],\n "big": 12345678901234567890 }');
    expect(editGeminiRequest(body, { cap: undefined })).toBe(body);
  });

  it('takes the stream flag out wherever it stands, and keeps every value as it was written', () => {
    expect(edit('{"stream":true,"contents":[ 1e0 ]}')).toBe('{"contents":[ 1e0 ]}');
    expect(edit('{"contents":[ 1e0 ], "stream" : true}')).toBe('{"contents":[ 1e0 ]}');
    expect(edit('{"a":{"stream":true},"stream":true,"b":"\\u00e9"}')).toBe(
      '{"a":{"stream":true},"b":"\\u00e9"}',
    );
  });

  it('puts a cap where Google reads it', () => {
    expect(edit('{"contents":[]}', 7)).toBe('{"generationConfig":{"maxOutputTokens":7},"contents":[]}');
    expect(edit('{"generationConfig":{},"contents":[]}', 7)).toBe(
      '{"generationConfig":{"maxOutputTokens":7},"contents":[]}',
    );
    expect(edit('{"generation_config": {"topK":1},"contents":[],"stream":true}', 7)).toBe(
      '{"generation_config": {"maxOutputTokens":7,"topK":1},"contents":[]}',
    );
    expect(edit('{"contents":[],"generationConfig":null}', 7)).toBe(
      '{"contents":[],"generationConfig":{"maxOutputTokens":7}}',
    );
  });

  it.each(['maxOutputTokens', 'max_output_tokens'])('H2b: replaces a %s that is null', (name) => {
    expect(edit(`{"contents":[],"generationConfig":{"topK":1, "${name}" : null}}`, 7)).toBe(
      `{"contents":[],"generationConfig":{"topK":1, "${name}" : 7}}`,
    );
  });

  it('M5: puts a cap into a large configuration without reading it again', () => {
    const filler = 'x'.repeat(100_000);
    const editLarge = (config: object) => {
      const text = JSON.stringify({ contents: [], generation_config: config });
      const parsed = JSON.parse(text) as JsonObject;
      return JSON.parse(editGeminiRequest(Buffer.from(text), { cap: 7, parsed }).toString()) as unknown;
    };
    expect(editLarge({ responseSchema: filler })).toEqual({
      contents: [],
      generation_config: { maxOutputTokens: 7, responseSchema: filler },
    });
    expect(() => editLarge({ responseSchema: filler, max_output_tokens: null })).toThrow(
      'generationConfig.max_output_tokens',
    );
  });

  it('keeps any body equal but for the flag', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 4 }),
        (body, indent) => {
          fc.pre(!Object.hasOwn(body, '__proto__') && !('stream' in body) && isRead(body));
          const { stream: _, ...kept } = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
          expect(JSON.parse(edit(JSON.stringify({ ...body, stream: true }, null, indent)))).toEqual(kept);
        },
      ),
    );
  });
});
