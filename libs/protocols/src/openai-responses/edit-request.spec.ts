import { describe, expect, it } from 'vitest';
import { editResponsesRequest } from './edit-request.js';
import { readResponsesEnvelope } from './read-envelope.js';

function edit(text: string, model: string, cap?: number): string {
  const body = Buffer.from(text);
  return editResponsesRequest(body, readResponsesEnvelope(body), { model, cap }).toString();
}

describe('editResponsesRequest', () => {
  it('returns the same bytes when nothing has to change', () => {
    const body = Buffer.from('{ "model" : "a", "input":"hi", "big": 12345678901234567890 }');
    const envelope = readResponsesEnvelope(body);
    expect(editResponsesRequest(body, envelope, { model: 'a', cap: undefined })).toBe(body);
  });

  it('changes the model and nothing else', () => {
    const text =
      '{ "input" : [ {"role":"user","content":"\\"model\\":\\"a\\""} ],\n "model" : "a", "seed":1e0}';
    expect(edit(text, 'b')).toBe(text.replace('"model" : "a"', '"model" : "b"'));
  });

  it('puts the cap of the funds in', () => {
    expect(edit('{"model":"a","input":"hi"}', 'a', 7)).toBe(
      '{"max_output_tokens":7,"model":"a","input":"hi"}',
    );
    expect(edit('{"model":"a","input":"hi","max_output_tokens":null}', 'b', 7)).toBe(
      '{"model":"b","input":"hi","max_output_tokens":7}',
    );
  });
});
