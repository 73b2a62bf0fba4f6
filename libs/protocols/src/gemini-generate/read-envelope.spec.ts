import { describe, expect, it } from 'vitest';
import { readGeminiEnvelope } from './read-envelope.js';

const read = (body: unknown, stream = false) =>
  readGeminiEnvelope(Buffer.from(JSON.stringify(body)), 'gemini-x', stream);
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];

describe('readGeminiEnvelope', () => {
  it('reads what the gateway needs, in camelCase and in snake_case', () => {
    const config = { candidateCount: 2, maxOutputTokens: 50, thinkingConfig: { includeThoughts: true } };
    expect(read({ contents, generationConfig: config })).toMatchObject({
      model: 'gemini-x',
      stream: false,
      choices: 2,
      maxTokens: 50,
      showReasoning: true,
    });
    const snake = {
      candidate_count: 3,
      max_output_tokens: 60,
      thinking_config: { include_thoughts: true },
    };
    expect(read({ contents, generation_config: snake })).toMatchObject({
      choices: 3,
      maxTokens: 60,
      showReasoning: true,
    });
  });

  it('streams when the path, the query or the body says so', () => {
    expect(read({ contents }, true).stream).toBe(true);
    expect(read({ contents, stream: true }).stream).toBe(true);
  });

  it.each([
    [{}, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: ['x'] }, 'contents[0]'],
    [{ contents: [{ parts: 'x' }] }, 'contents[0].parts'],
    [{ contents: [{ parts: ['x'] }] }, 'contents[0].parts[0]'],
    [{ contents, stream: 'yes' }, 'stream'],
    [{ contents, generationConfig: [] }, 'generationConfig'],
    [{ contents, generationConfig: { candidateCount: 9 } }, 'generationConfig.candidateCount'],
    [{ contents, generation_config: { max_output_tokens: -1 } }, 'generationConfig.maxOutputTokens'],
  ])('names the field that is wrong in %j', (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('refuses what is no JSON object', () => {
    expect(() => readGeminiEnvelope(Buffer.from('{"contents":'), 'm', false)).toThrow('not valid JSON');
    expect(() => readGeminiEnvelope(Buffer.from('[]'), 'm', false)).toThrow('JSON object');
  });
});
