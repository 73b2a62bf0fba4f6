/**
 * After a separator; one between digits is part of a figure, an address or a port, and one after a protocol or before the last part
 * of an address.
 */
const PARTS = /(?<=[^\S\u00a0]|(?<!:\/?)\/|[@_=-]|[.:,](?!\d|[a-z]{2,4}$))(?=[^\s/@._:=,-])/;

/** The parts of a name, slug, address or sentence between which a line may break, each with the separator at its end. */
export function splitName(text: string): readonly string[] {
  return text.split(PARTS);
}
