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

/** Reads the events of a block of whole events; a last one without its blank line counts too. */
export function* readEvents(block: Buffer): Generator<WireEvent> {
  const text = block.toString('latin1');
  let at = 0;
  while (at < text.length) {
    EVENT.lastIndex = at;
    const length = EVENT.exec(text)?.[0].length ?? 0;
    if (length === 0) return;
    const start = at;
    at += length;
    const { event, data } = readFields(block.subarray(start, at).toString('utf8'));
    yield { start, end: at, event, data };
  }
}

function readFields(text: string): { event: string | undefined; data: string | undefined } {
  let event: string | undefined;
  let data: string | undefined;
  for (const line of text.split(LINE_END)) {
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
