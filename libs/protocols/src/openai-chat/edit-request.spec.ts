import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SNAKE_NAMES } from '../strict-json/known-names.js';
import { editChatRequest } from './edit-request.js';
import { readChatEnvelope } from './read-envelope.js';

/** Whether a name is one that the reader of envelopes checks, or another spelling of one. */
function isKnown(name: string): boolean {
  return SNAKE_NAMES.has(name) || SNAKE_NAMES.findOther(name) !== undefined;
}

const noCap = { cap: undefined };

function edit(text: string, edits: Partial<Parameters<typeof editChatRequest>[2]>): string {
  const body = Buffer.from(text);
  const envelope = readChatEnvelope(body);
  return editChatRequest(body, envelope, {
    model: envelope.model,
    forceUsage: false,
    ...noCap,
    ...edits,
  }).toString();
}

describe('editChatRequest', () => {
  it('returns the same bytes when nothing has to change', () => {
    const body = Buffer.from('{ "model" : "a", "messages":[{"role":"user","content":"hi"}] }');
    expect(editChatRequest(body, readChatEnvelope(body), { model: 'a', forceUsage: false, ...noCap })).toBe(
      body,
    );
  });

  it('changes the model and nothing else, spaces, order and escapes included', () => {
    const text =
      '{ "messages" : [ {"role":"user","content":"say \\"model\\":\\"a\\" \\u00e9"} ],\n  "model" : "a", "x_unknown": {"model":"a"} , "seed":1e0}';
    expect(edit(text, { model: 'b-2' })).toBe(text.replace('"model" : "a",', '"model" : "b-2",'));
  });

  it('H2b: leaves no null beside a cap that the funds set', () => {
    const messages = '"messages":[{"role":"user","content":"x"}]';
    const cap = { field: 'max_tokens', tokens: 7 };
    expect(edit(`{"max_tokens":null,"model":"a",${messages}}`, { cap })).toBe(
      `{"max_tokens":7,"model":"a",${messages}}`,
    );
    expect(edit(`{"model":"a",${messages}, "max_completion_tokens" : null }`, { cap })).toBe(
      `{"max_tokens":7,"model":"a",${messages} }`,
    );
    expect(edit(`{"max_completion_tokens":null, "model":"a",${messages},"max_tokens":null}`, { cap })).toBe(
      `{"model":"a",${messages},"max_tokens":7}`,
    );
  });

  it('adds the usage flag, keeping other stream options', () => {
    const plain = '{"model":"a","stream":true,"messages":[{"role":"user","content":"x"}]}';
    expect(edit(plain, { forceUsage: true })).toBe(
      '{"stream_options":{"include_usage":true},"model":"a","stream":true,"messages":[{"role":"user","content":"x"}]}',
    );
    const options =
      '{"model":"a","stream_options":{"include_obfuscation":false},"messages":[{"role":"user","content":"x"}]}';
    expect(edit(options, { forceUsage: true })).toContain(
      '"stream_options":{"include_obfuscation":false,"include_usage":true}',
    );
  });

  it('passes on a cap that the funds set', () => {
    expect(
      edit('{"model":"a","messages":[{"role":"user","content":"x"}]}', {
        cap: { field: 'max_tokens', tokens: 7 },
      }),
    ).toBe('{"max_tokens":7,"model":"a","messages":[{"role":"user","content":"x"}]}');
  });

  it('keeps any body equal but for the model', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 4 }),
        (extra, indent) => {
          const request = { ...extra, model: 'a', messages: [{ role: 'user', content: 'x' }] };
          fc.pre(!Object.keys(extra).some((key) => isKnown(key) || key === '__proto__'));
          const edited = edit(JSON.stringify(request, null, indent), { model: 'b' });
          expect(JSON.parse(edited)).toEqual({
            ...(JSON.parse(JSON.stringify(request)) as object),
            model: 'b',
          });
        },
      ),
    );
  });
});
