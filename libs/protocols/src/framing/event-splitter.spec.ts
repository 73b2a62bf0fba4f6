import { describe, expect, it } from 'vitest';
import { EventReader } from './decode-events.js';
import { EventSplitter, EventTooLargeError } from './event-splitter.js';

const CHUNK_BYTES = 16 * 1024;
const EVENT = 'data: {"n":1}\n\n';

/** Pushes `text` again and again until the splitter has had so many bytes. */
function flood(splitter: EventSplitter, text: string, bytes: number): void {
  const chunk = Buffer.from(text.repeat(Math.ceil(CHUNK_BYTES / text.length)));
  for (let sent = 0; sent < bytes; sent += chunk.length) splitter.push(chunk);
}

describe('M5: a stream of everything but data', () => {
  it.each([
    ['comments', ': keep-alive\n\n'],
    ['comments that name data', ': data: x\n\n'],
    ['blank lines', '\n\n'],
    ['blank lines of another kind', '\r\n\r\n'],
    ['names of events', 'event: ping\n\n'],
    ['identifiers and times', 'id: 1\nretry: 1\n\n'],
  ])('is a fault of the upstream: %s', (_, text) => {
    expect(() => flood(new EventSplitter(), text, 192 * 1024)).toThrow(EventTooLargeError);
  });

  it('is a fault also when a little data comes between', () => {
    const splitter = new EventSplitter();
    const alternate = () => {
      for (let round = 0; round < 40; round++) {
        flood(splitter, ': keep-alive\n\n', 3 * CHUNK_BYTES);
        splitter.push(Buffer.from(EVENT));
      }
    };
    expect(alternate).toThrow(EventTooLargeError);
  });

  it('is a fault for readers of decoded events as well', () => {
    const reader = new EventReader();
    const comments = Buffer.from(': keep-alive\n\n'.repeat(2_000));
    expect(() => Array.from({ length: 8 }, () => reader.push(comments))).toThrow(EventTooLargeError);
  });
});

it('T25: an event of very many lines is a fault, however they end', () => {
  for (const lineEnd of ['\n', '\r\n', '\r']) {
    const splitter = new EventSplitter();
    const lines = `data: 1${lineEnd}`.repeat(100);
    const pushMany = () => Array.from({ length: 201 }, () => splitter.push(Buffer.from(lines)));
    expect(pushMany).toThrow(EventTooLargeError);
  }
});

describe('a long stream', () => {
  it('of data may be as long as it likes', () => {
    const splitter = new EventSplitter();
    flood(splitter, EVENT, 4 * 1024 * 1024);
    flood(splitter, `event: delta\r\ndata: {}\r\n\r\n`, 4 * 1024 * 1024);
    splitter.takeRest();
    expect(splitter.push(Buffer.from(EVENT))?.toString()).toBe(EVENT);
  });

  it('may be kept open by a comment every second for an hour', () => {
    const splitter = new EventSplitter();
    for (let second = 0; second < 3_600; second++) splitter.push(Buffer.from(': OPENROUTER PROCESSING\n\n'));
    expect(splitter.push(Buffer.from(EVENT))?.toString()).toBe(EVENT);
  });
});
