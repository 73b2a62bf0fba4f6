import { describe, expect, it } from 'vitest';
import { findCodec } from './chat/chat-protocols.js';
import type { JsonObject } from './json.js';
import { encodeFor } from './testing/encode-for.js';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const TOOL = { type: 'function', function: { name: 'weather', parameters: CITY } };
/** What the Agents SDK, pydantic-ai and instructor send. */
const ASK: JsonObject = {
  model: 'm',
  messages: [{ role: 'user', content: 'Where is it warm?' }],
  tools: [TOOL],
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: CITY, strict: true } },
};
const GEMINI = { supportsSchemaWithTools: false };
const CLAUDE = { supportsJsonSchema: false };
const ANSWER = '{"city":"Oslo"}';
const CONTEXT = { model: 'm', includeUsage: true };

const gemini = (body: JsonObject) => encodeFor('openai-chat', 'gemini-generate', body, GEMINI).body;
const claude = (body: JsonObject) => encodeFor('openai-chat', 'anthropic-messages', body, CLAUDE).body;

describe('clients 10: a schema for the answer beside tools, of a model that takes one of them', () => {
  it('is a tool by which the model answers', () => {
    expect(gemini(ASK)).toMatchObject({
      tools: [
        {
          functionDeclarations: [
            { name: 'weather' },
            { name: 'answer_in_json', parametersJsonSchema: { properties: { city: { type: 'string' } } } },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    });
    expect(gemini(ASK)).not.toHaveProperty('generationConfig');
    expect(claude(ASK)).toMatchObject({
      tools: [{ name: 'weather' }, { name: 'answer_in_json', input_schema: CITY }],
      tool_choice: { type: 'any' },
    });
  });

  it('is not there yet where a certain tool has to be called', () => {
    const body = { ...ASK, tool_choice: { type: 'function', function: { name: 'weather' } } };
    expect(gemini(body).tools).toMatchObject([{ functionDeclarations: [{ name: 'weather' }] }]);
    expect(JSON.stringify(gemini(body))).not.toContain('answer_in_json');
    expect(claude(body)).toMatchObject({ tool_choice: { type: 'tool', name: 'weather' } });
  });

  it('is all there is where no tool may be called', () => {
    const body = { ...ASK, tool_choice: 'none' };
    expect(JSON.stringify(gemini(body).tools)).not.toContain('weather');
    expect(JSON.stringify(claude(body).tools)).not.toContain('weather');
  });

  it('is refused where it is no object', () => {
    const schema = { type: 'array', items: CITY };
    const body = { ...ASK, response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } };
    expect(() => gemini(body)).toThrow(expect.objectContaining({ param: 'response_format' }));
  });

  const call = { functionCall: { name: 'answer_in_json', args: { city: 'Oslo' } } };
  const reply = (...parts: JsonObject[]): JsonObject => ({
    responseId: 'r',
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  });

  it('comes back as the text of the answer, once', () => {
    const decoded = findCodec('gemini-generate').decodeReply(reply(call, call));
    expect(findCodec('openai-chat').encodeReply(decoded, CONTEXT)).toMatchObject({
      choices: [{ message: { content: ANSWER }, finish_reason: 'stop' }],
    });
  });

  it('comes back so in a stream, too', () => {
    const decoder = findCodec('gemini-generate').createStreamDecoder();
    const encoder = findCodec('openai-chat').createStreamEncoder(CONTEXT);
    const bytes = Buffer.from(`data: ${JSON.stringify(reply(call, call))}\r\n\r\n`);
    const written = [...decoder.push(bytes), ...decoder.end()].map((event) => encoder.encode(event)).join('');
    expect(written.split(JSON.stringify(ANSWER)).length).toBe(2);
    expect(written).toContain('"finish_reason":"stop"');
    expect(written).not.toContain('tool_calls');
  });

  it('leaves calls of other tools what they are', () => {
    const decoded = findCodec('gemini-generate').decodeReply(
      reply({ functionCall: { name: 'weather', args: {} } }),
    );
    expect(decoded.choices).toMatchObject([{ stop: 'tool-call', blocks: [{ name: 'weather' }] }]);
  });
});
