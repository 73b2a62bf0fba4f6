import { describe, expect, it } from 'vitest';
import { listChatProtocols } from '../chat/chat-protocols.js';
import { writeCost } from './write-cost.js';

const write = (text: string, path: readonly string[] = ['usage']) =>
  writeCost(Buffer.from(text), path, '0.000123').toString();

describe('the cost of a stream', () => {
  it('stands beside the usage of the last event that says any, and nothing else changes', () => {
    const before = 'data: {"choices":[{"delta":{"content":"\\"usage\\":{}"}}],"usage":null}\n\n';
    const stream = `${before}data: {"id":"c" , "choices":[],"usage": { "total_tokens":12345678901234567890}}\n\ndata: [DONE]\n\n`;
    const written =
      'data: {"id":"c" , "choices":[],"usage": {"gateway_cost":"0.000123", "total_tokens":12345678901234567890}}';
    expect(write(stream)).toBe(`${before}${written}\n\ndata: [DONE]\n\n`);
  });

  it('replaces the one of an earlier call', () => {
    expect(write(write('data:{"usage":{}}\r\n\r\n').replace('0.000123', '9'))).toBe(
      'data:{"usage":{"gateway_cost":"0.000123"}}\r\n\r\n',
    );
  });

  it('stands where the event of each protocol has usage, and not where a tool or a text is called so', () => {
    const tools = [{ parameters: { properties: { usage: {}, usageMetadata: {} } } }];
    const events = {
      'openai-chat': { tools, usage: {} },
      'openai-completions': { tools, usage: {} },
      'anthropic-messages': { type: 'message_delta', tools, usage: {} },
      'openai-responses': { type: 'response.completed', response: { tools, usage: {} } },
      'gemini-generate': { tools, usageMetadata: {} },
    };
    for (const { name, usagePath } of listChatProtocols()) {
      const event = JSON.stringify(events[name]);
      const leaf = usagePath.at(-1) ?? '';
      const wanted = event.replace(
        new RegExp(`"${leaf}":{}(?=}+$)`),
        `"${leaf}":{"gateway_cost":"0.000123"}`,
      );
      expect(wanted).not.toBe(event);
      expect(write(`event: e\ndata: ${event}\n\n`, usagePath)).toBe(`event: e\ndata: ${wanted}\n\n`);
    }
  });

  it.each([
    'data: [DONE]\n\n',
    'data: {"usage":null}\n\n',
    'data: {"message":{"usage":{}}}\n\n',
    'data: {"usage":{"a":1}\n\n',
    'data: {"usage":{},"usage":{"a":1}}\n\n',
    ': {"usage":{}}\n\n',
    `data: {"usage":{"a":"${'x'.repeat(256 * 1024)}"}}\n\n`,
    `data: {"usage":{}}\n\n${'data: {"usage":null}\n\n'.repeat(64)}`,
    '',
  ])('is left out where none of the last events says what was used, or one says it twice: %#', (stream) => {
    expect(write(stream)).toBe(stream);
  });

  it('is left out where the last events hold more than is read in one go', () => {
    const said = 'data: {"usage":{}}\n\n';
    const long = `data: {"usage":null,"a":"${'x'.repeat(60 * 1024)}"}\n\n`;
    expect(write(said + long.repeat(4))).not.toBe(said + long.repeat(4));
    expect(write(said + long.repeat(5))).toBe(said + long.repeat(5));
    const wide = `data: {"usage":null,"a":[${Array(4_000).fill('{}').join()}]}\n\n`;
    expect(write(said + wide.repeat(2))).not.toBe(said + wide.repeat(2));
    expect(write(said + wide.repeat(3))).toBe(said + wide.repeat(3));
  });

  it('is looked for at the end alone, however much comes before', () => {
    const said = 'data: {"usage":{}}\n\n';
    const long = `data: "${'\\"'.repeat(1024 * 1024)}"\n\n`;
    expect(write(long + said)).toBe(`${long}data: {"usage":{"gateway_cost":"0.000123"}}\n\n`);
    expect(write(said + long)).toBe(said + long);
    const cut = `data: {"a":"${'x'.repeat(1024 * 1024)}","usage":{}}\n\n`;
    expect(write(cut)).toBe(cut);
    const behind = ': nothing\n\n'.repeat(40 * 1024);
    expect(write(said + behind.slice(0, 440_000))).toContain('gateway_cost');
    expect(write(said + behind + behind)).toBe(said + behind + behind);
  });

  it.each([
    ['objects', Array(10_001).fill('{}').join()],
    ['values', Array(20_002).fill('1').join()],
    ['names', Array.from({ length: 2_001 }, (_, index) => `{"name_${index}":1}`).join()],
  ])('is left out where an event has too many %s', (_what, list) => {
    const stream = `data: {"a":[${list}],"usage":{}}\n\n`;
    expect(write(stream)).toBe(stream);
  });

  it('stands in an event that repeats hundreds of tools', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`property_${index}`, { type: 'string' }]),
    );
    const tools = Array.from({ length: 300 }, () => ({
      type: 'function',
      name: 'look',
      parameters: { properties },
    }));
    const stream = `data: ${JSON.stringify({ tools, usage: {} })}\n\n`;
    expect(write(stream)).toContain('"usage":{"gateway_cost":"0.000123"}');
  });
});
