import { describe, expect, it } from 'vitest';
import { readResponsesEnvelope } from './read-envelope.js';

const read = (body: unknown) => readResponsesEnvelope(Buffer.from(JSON.stringify(body)));

describe('readResponsesEnvelope', () => {
  it('reads what the gateway needs', () => {
    expect(read({ model: 'm', input: 'hi', stream: true, max_output_tokens: 50 })).toMatchObject({
      model: 'm',
      stream: true,
      includeUsage: true,
      choices: 1,
      maxTokens: 50,
    });
    expect(read({ model: 'm', input: [], background: false, previous_response_id: null }).stream).toBe(false);
  });

  it.each([
    [{ input: 'x' }, 'model'],
    [{ model: '' }, 'model'],
    [{ model: 'm', input: 7 }, 'input'],
    [{ model: 'm', input: ['x'] }, 'input[0]'],
    [{ model: 'm', input: 'x', stream: 1 }, 'stream'],
    [{ model: 'm', input: 'x', temperature: 3 }, 'temperature'],
    [{ model: 'm', input: 'x', max_output_tokens: 0 }, 'max_output_tokens'],
    [{ model: 'm', input: 'x', tools: {} }, 'tools'],
    [{ model: 'm', input: 'x', previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ model: 'm', input: 'x', conversation: 'conv_1' }, 'conversation'],
    [{ model: 'm', input: 'x', prompt: { id: 'p' } }, 'prompt'],
    [{ model: 'm', input: 'x', background: true }, 'background'],
  ])('names the field that is wrong in %j', (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});
