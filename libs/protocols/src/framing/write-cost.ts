import { isObject, type JsonObject, parseObject } from '../json.js';
import { editMembers } from '../splice-json.js';
import { scanBody } from '../strict-json/scanned-body.js';

/** Beside what a stream says of its usage: USD as a decimal text. */
export const COST_MEMBER = 'gateway_cost';
/** Longer events are left as they are: they would be read in one go. */
const MAX_EVENT_BYTES = 256 * 1024;
/** Lines that may be of such an event: few come behind it, and each is parsed. */
const MAX_LINES = 64;
const NEWLINE = 0x0a;
const DATA = 'data:';

/**
 * Writes what a call cost into the last event of a stream that says what it used; every other byte stays as it is. A cost that
 * stands there already is replaced.
 *
 * @param bytes the end of a stream, whole events of it.
 * @param path where such an event holds usage, as names of members.
 * @param cost in USD, decimal.
 * @returns the very same buffer when none of the last events says so, or one of over 256 KiB does.
 */
export function writeCost(bytes: Buffer, path: readonly string[], cost: string): Buffer {
  const mark = Buffer.from(JSON.stringify(path.at(-1)));
  let at = bytes.lastIndexOf(mark);
  for (let lines = 0; at >= 0 && lines < MAX_LINES; lines++) {
    const start = bytes.lastIndexOf(NEWLINE, at) + 1;
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline < 0 ? bytes.length : newline;
    const edited = editLine(bytes.subarray(start, end), path, cost);
    if (edited) return Buffer.concat([bytes.subarray(0, start), edited, bytes.subarray(end)]);
    at = start === 0 ? -1 : bytes.lastIndexOf(mark, start - 1);
  }
  return bytes;
}

/** `undefined` for what is no event with usage. */
function editLine(line: Buffer, path: readonly string[], cost: string): Buffer | undefined {
  if (line.length > MAX_EVENT_BYTES || line.toString('latin1', 0, DATA.length) !== DATA) return undefined;
  const event = parseObject(line.toString('utf8', DATA.length));
  if (!event || !holdsObject(event, path)) return undefined;
  try {
    const start = line.indexOf('{');
    return Buffer.concat([line.subarray(0, start), setCost(line.subarray(start), path, cost)]);
  } catch {
    // Two members of one name, and whatever else the scanner has no single reading of: the event stays as it came.
    return undefined;
  }
}

function holdsObject(event: JsonObject, path: readonly string[]): boolean {
  let value: unknown = event;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return isObject(value);
}

function setCost(json: Buffer, [name, ...rest]: readonly string[], cost: string): Buffer {
  if (name === undefined) return editMembers(json, new Map([[COST_MEMBER, JSON.stringify(cost)]]));
  const span = scanBody(json).find(({ key }) => key === name);
  if (!span) return json;
  const inner = setCost(json.subarray(span.valueStart, span.valueEnd), rest, cost);
  return editMembers(json, new Map([[name, inner]]));
}
