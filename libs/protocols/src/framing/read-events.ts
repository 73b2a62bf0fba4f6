/** One server-sent event: where it stands in its block, and its data lines joined. */
export interface WireEvent {
  /** Offset of its first byte. */
  readonly start: number;
  /** Offset just after the blank line that ends it. */
  readonly end: number;
  readonly event: string | undefined;
  /** `undefined` for a comment or an event without data. */
  readonly data: string | undefined;
}

const EVENT = /(?:[^\r\n]+(?:\r\n|\n|\r|$))*(?:\r\n|\n|\r|$)/y;
const LINE_END = /\r\n|\n|\r/;
const BLANK = /[\r\n]+/y;
const LF = '\n';
/** What any event but a comment or blank lines has. */
const FIELD = /data:|event:/;
const NO_FIELDS = { event: undefined, data: undefined };

/**
 * Reads the events of a block of whole events; a last one without its blank line counts too, and blank lines that follow each
 * other are one event without data.
 */
export function* readEvents(block: Buffer): Generator<WireEvent> {
  const decoded = block.toString('utf8');
  // With a character for each byte, offsets in the text are those in the block, and nothing is decoded twice.
  const isPlain = decoded.length === block.length;
  const text = isPlain ? decoded : block.toString('latin1');
  const findEnd = text.includes('\r') ? findEndOfAnyLines : findEndOfLines;
  let at = 0;
  while (at < text.length) {
    const start = at;
    at = text[start] === LF || text[start] === '\r' ? skipBlank(text, start) : findEnd(text, start);
    const event = text.slice(start, at);
    const fields = FIELD.test(event)
      ? readFields(isPlain ? event : block.subarray(start, at).toString('utf8'))
      : NO_FIELDS;
    yield { start, end: at, event: fields.event, data: fields.data };
  }
}

/** Offset just after the event that starts at `start`, where lines end in LF alone, as nearly all do. */
function findEndOfLines(text: string, start: number): number {
  const blank = text.indexOf('\n\n', start);
  return blank < 0 ? text.length : blank + 2;
}

function skipBlank(text: string, start: number): number {
  BLANK.lastIndex = start;
  BLANK.test(text);
  return BLANK.lastIndex;
}

function findEndOfAnyLines(text: string, start: number): number {
  EVENT.lastIndex = start;
  const length = EVENT.exec(text)?.[0].length ?? 0;
  return length === 0 ? text.length : start + length;
}

function readFields(text: string): { event: string | undefined; data: string | undefined } {
  let event: string | undefined;
  let data: string | undefined;
  for (const line of text.split(text.includes('\r') ? LINE_END : '\n')) {
    if (line.startsWith('data:')) {
      const value = dropLeadingSpace(line.slice(5));
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (line.startsWith('event:')) {
      event = dropLeadingSpace(line.slice(6));
    }
  }
  return { event, data };
}

function dropLeadingSpace(value: string): string {
  return value.startsWith(' ') ? value.slice(1) : value;
}
