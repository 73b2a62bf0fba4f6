/** Where a text may be cut at or before a place: not between the two halves of a character. */
export function findCut(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}
