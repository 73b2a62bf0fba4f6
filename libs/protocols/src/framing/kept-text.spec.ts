import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import { KeptText } from './kept-text.js';

const listTexts = ({ text }: JsonObject) => [typeof text === 'string' ? text : ''];

/** The text that blocks of events hold, some of which are kept together. */
function keep(...blocks: string[]): string | readonly string[] {
  const kept = new KeptText(listTexts, (data) => /^\{"plain":"([^"\\]*)"\}$/.exec(data)?.[1]);
  for (const block of blocks) kept.keep(Buffer.from(block));
  return kept.read();
}

describe('the text that is kept of a stream', () => {
  it.each([
    ['plain events', ['data: {"text":"a"}\n\n', 'data: {"plain":"ü"}\n\n'], 'aü'],
    ['events with names', ['event: x\ndata: {"text":"a"}\n\n', 'data: {"text":"b"}\n\n'], 'ab'],
    ['events with data in two lines', ['data: {"text":\ndata: "a"}\n\n'], 'a'],
    ['data without a space', ['data:{"text":"a"}\n\n'], 'a'],
    ['lines that end in CRLF', ['data: {"text":"a"}\r\n\r\n', 'data: {"plain":"b"}\r\n\r\n'], 'ab'],
    ['comments between them', [': ping\n\ndata: {"text":"a"}\n\n: pong\n\n'], 'a'],
    ['blank lines', ['\n\ndata: {"text":"a"}\n\n\n\ndata: {"text":"b"}\n\n'], 'ab'],
    ['a last event without its end', ['data: {"text":"a"}\n\n', 'data: {"text":"b"}'], 'ab'],
    ['what is no JSON', ['data: [DONE]\n\n', 'data: {"text":"a"}\n\n'], 'a'],
  ])('is that of %s', (_name, blocks, text) => {
    expect(keep(...blocks)).toBe(text);
  });

  it('is whole, however many blocks there are and however long one is', () => {
    const words = Array.from({ length: 500 }, (_, index) => `${index}, `);
    const long = 'ä'.repeat(10_000);
    const events = [...words, long].map((text) => `data: ${JSON.stringify({ text })}\n\n`);
    expect(keep(...events)).toBe(words.join('') + long);
  });

  it('has nothing of what is nested too deep to be written', () => {
    const levels = '['.repeat(8_000) + ']'.repeat(8_000);
    const deep = `data: {"text":"a","input":${levels}}\n\n`;
    const kept = new KeptText(({ text, input }) => [text as string, ...(input ? [input] : [])]);
    for (const block of [deep, 'data: {"text":"b"}\n\n']) kept.keep(Buffer.from(block));
    kept.add(JSON.parse(deep.slice('data: '.length)) as JsonObject);
    expect(kept.read()).toBe('b');
  });

  it('is not joined where it is long: whoever reads it would do so in one go', () => {
    const events = Array.from({ length: 100 }, (_, at) => `data: {"text":"${at}${'ä'.repeat(3_000)}"}\n\n`);
    const pieces = [...keep(...events)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
    expect(pieces.join('').length).toBe(300_190);
  });
});
