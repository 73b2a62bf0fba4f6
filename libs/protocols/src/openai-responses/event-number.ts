const MEMBER = '"sequence_number"';
const VALUE = /^\s*:\s*(\d{1,15})/;
const LONGEST_VALUE = 32;

/** The number of the last event in a piece of a stream; `undefined` where no event there has one. */
export function readEventNumber(sent: Buffer): number | undefined {
  // Within a text its quotes are escaped, but a text may be the name.
  for (let at = sent.lastIndexOf(MEMBER); at >= 0; at = at === 0 ? -1 : sent.lastIndexOf(MEMBER, at - 1)) {
    const from = at + MEMBER.length;
    const digits = VALUE.exec(sent.toString('latin1', from, from + LONGEST_VALUE))?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}
