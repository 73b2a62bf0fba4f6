import { isObject, type JsonObject, parseObject } from '../json.js';
import { editMembers } from '../splice-json.js';
import { scanBody } from '../strict-json/scanned-body.js';
import { ANSWER_SHAPE, JsonShape, type ShapeLimits } from './json-shape.js';

/** Beside what a stream says of its usage: USD as a decimal text. */
export const COST_MEMBER = 'gateway_cost';
/** Of all lines that are looked into, as of what they hold: they are read in one go. */
const MAX_READ_BYTES = 256 * 1024;
/** Bytes of the end that are searched: few come behind such an event. */
const SEARCHED_BYTES = 2 * MAX_READ_BYTES;
/** Parsed in some milliseconds; events may repeat hundreds of tools. */
const READ_SHAPE: ShapeLimits = {
  ...ANSWER_SHAPE,
  members: 10_000,
  containers: 10_000,
  values: 20_000,
  names: 2_000,
};
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
 * @returns the very same buffer when none of the last events says so, or has no single reading, or they hold
 * more than is read in one go: 256 KiB, 10,000 members or objects, 20,000 values, or 2,000 different names.
 */
export function writeCost(bytes: Buffer, path: readonly string[], cost: string): Buffer {
  const mark = Buffer.from(JSON.stringify(path.at(-1)));
  const before = Math.max(0, bytes.length - SEARCHED_BYTES);
  const searched = bytes.subarray(before);
  let at = searched.lastIndexOf(mark);
  const shape = new JsonShape(READ_SHAPE);
  let read = 0;
  for (let lines = 0; at >= 0 && lines < MAX_LINES; lines++) {
    const start = searched.lastIndexOf(NEWLINE, at) + 1;
    // The line begins before what is searched.
    if (start === 0 && before > 0) return bytes;
    const newline = searched.indexOf(NEWLINE, at);
    const end = newline < 0 ? searched.length : newline;
    if (searched.toString('latin1', start, start + DATA.length) === DATA) {
      const data = searched.subarray(start + DATA.length, end);
      read += data.length;
      if (read > MAX_READ_BYTES || !shape.push(data)) return bytes;
      const event = parseObject(data.toString('utf8'));
      // What is no JSON would have the shape of the lines looked at after it misread.
      if (!event) return bytes;
      if (holdsObject(event, path)) {
        const edited = editData(data, path, cost);
        if (!edited) return bytes;
        const kept = bytes.subarray(0, before + start + DATA.length);
        return Buffer.concat([kept, edited, searched.subarray(end)]);
      }
    }
    at = start === 0 ? -1 : searched.lastIndexOf(mark, start - 1);
  }
  return bytes;
}

/** `undefined` for what has two members of one name, and whatever else the scanner has no single reading of. */
function editData(data: Buffer, path: readonly string[], cost: string): Buffer | undefined {
  try {
    const start = data.indexOf('{');
    return Buffer.concat([data.subarray(0, start), setCost(data.subarray(start), path, cost)]);
  } catch {
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
