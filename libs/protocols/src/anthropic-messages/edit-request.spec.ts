import { describe, expect, it } from 'vitest';
import { editMessagesRequest } from './edit-request.js';
import { readMessagesEnvelope } from './read-envelope.js';

const text =
  '{ "max_tokens":5,"model" : "a", "messages":[{"role":"user","content":"\\"model\\":\\"a\\" \\u00e9 12345678901234567890"}] }';

function edit(model: string): Buffer {
  const body = Buffer.from(text);
  return editMessagesRequest(body, readMessagesEnvelope(body), { model }) as Buffer;
}

describe('editMessagesRequest', () => {
  it('changes the model and no other byte', () => {
    expect(edit('claude-b').toString()).toBe(text.replace('"model" : "a",', '"model" : "claude-b",'));
  });

  it('returns the same bytes when the name is the same', () => {
    expect(edit('a').toString()).toBe(text);
  });
});
