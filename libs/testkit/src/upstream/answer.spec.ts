import { describe, expect, it } from 'vitest';
import { type AnswerShape, composeAnswer, countChoiceTokens, joinPieces } from './answer.js';
import { isRefusal, readChatRequest } from './request.js';

const question = [{ role: 'user', content: 'Where is the mill?' }];

function answer(body: Record<string, unknown>, shape: AnswerShape = {}) {
  const request = readChatRequest({ model: 'any', messages: question, ...body });
  if (isRefusal(request)) throw new Error(request.message);
  return composeAnswer(request, shape);
}

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
};

describe('composeAnswer', () => {
  it('cuts the text at max_tokens and says so', () => {
    const [choice] = answer({ max_tokens: 5 }).choices;
    expect(choice).toMatchObject({ finishReason: 'length' });
    expect(choice && countChoiceTokens(choice)).toBe(5);
  });

  it('cuts the text before a stop sequence', () => {
    const [choice] = answer({ stop: ['old mill'] }).choices;
    expect(joinPieces(choice?.text ?? [])).toBe('The river runs past the ');
  });

  it('calls a tool first and uses its result in the next turn', () => {
    const [first] = answer({ tools: [weatherTool] }).choices;
    expect(first?.finishReason).toBe('tool_calls');
    expect(JSON.parse(joinPieces(first?.toolCalls[0]?.fragments ?? []))).toEqual({ city: 'sample', days: 1 });
    const result = { role: 'tool', tool_call_id: 'call_fake_0', content: 'rain' };
    const [second] = answer({ tools: [weatherTool], messages: [...question, result] }).choices;
    expect(joinPieces(second?.text ?? [])).toBe('The tool said: rain');
  });

  it('writes the file that an agent is asked for, by its tool, then says so; in text where there is none', () => {
    const wish = { role: 'user', content: 'Write the file /tmp/a/made.txt with the text: fox' };
    const write = (parameters: object) => {
      const tools = [weatherTool, { type: 'function', function: { name: 'write', parameters } }];
      const [choice] = answer({ tools, messages: [wish] }, { writesFile: true }).choices;
      return JSON.parse(joinPieces(choice?.toolCalls[0]?.fragments ?? [])) as unknown;
    };
    const text = { type: 'string' };
    expect(write({ properties: { file_path: text, content: text } })).toEqual({
      file_path: '/tmp/a/made.txt',
      content: 'fox',
    });
    expect(write({ properties: { cmd: text } })).toEqual({ cmd: 'printf fox > /tmp/a/made.txt' });
    const result = { role: 'tool', tool_call_id: 'c', content: 'ok' };
    const say = (...messages: object[]) =>
      joinPieces(answer({ messages }, { writesFile: true }).choices[0]?.text ?? []);
    expect(say(wish, result)).toBe('/tmp/a/made.txt is written.');
    expect(say(wish)).toBe('made.txt\n```\nfox\n```\n');
  });

  it('answers a JSON schema with JSON that fits it', () => {
    const schema = {
      type: 'object',
      properties: { kind: { enum: ['a', 'b'] }, items: { type: 'array', items: { $ref: '#/$defs/item' } } },
      $defs: { item: { type: 'object', properties: { ok: { type: 'boolean' } } } },
    };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const [choice] = answer({ response_format: format }).choices;
    expect(JSON.parse(joinPieces(choice?.text ?? []))).toEqual({ kind: 'a', items: [{ ok: true }] });
  });

  it('counts the prompt by message, text and image', () => {
    const plain = answer({}).promptTokens;
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
    const text = { type: 'text', text: 'Where is the mill?' };
    const withImage = answer({ messages: [{ role: 'user', content: [text, image] }] });
    expect(withImage.promptTokens).toBe(plain + 85);
    expect(joinPieces(withImage.choices[0]?.text ?? [])).toBe('I see 1 image.');
  });
});

describe('readChatRequest', () => {
  it('refuses what OpenAI refuses', () => {
    const both = { model: 'any', messages: question, max_tokens: 1, max_completion_tokens: 1 };
    expect(readChatRequest(both)).toMatchObject({ param: 'max_tokens' });
    const options = { model: 'any', messages: question, stream_options: { include_usage: true } };
    expect(readChatRequest(options)).toMatchObject({ param: 'stream_options' });
    expect(readChatRequest({ model: 'any', messages: [] })).toMatchObject({ param: 'messages' });
  });
});
