const LINE_END = '\r\n';

/**
 * Where the reply of Redis that begins at `start` ends, in RESP2 or RESP3; `undefined` while it is not all there.
 *
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
export function findReplyEnd(bytes: Buffer, start: number): number | undefined {
  const line = bytes.indexOf(LINE_END, start);
  if (line === -1) return undefined;
  const end = line + LINE_END.length;
  const count = Number(bytes.toString('latin1', start + 1, line));
  switch (String.fromCharCode(bytes[start] ?? 0)) {
    case '$':
    case '=':
    case '!':
      return findTextEnd(bytes, end, count);
    case '*':
    case '~':
    case '>':
      return findLastEnd(bytes, end, count);
    case '%':
      return findLastEnd(bytes, end, 2 * count);
    default:
      return end;
  }
}

function findTextEnd(bytes: Buffer, start: number, length: number): number | undefined {
  const end = length < 0 ? start : start + length + LINE_END.length;
  return end <= bytes.length ? end : undefined;
}

function findLastEnd(bytes: Buffer, start: number, replies: number): number | undefined {
  let end: number | undefined = start;
  for (let place = 0; place < replies && end !== undefined; place++) end = findReplyEnd(bytes, end);
  return end;
}
