/** A JSON object of at least one member, left open behind the name of one more. */
export function openMember(written: object, name: string): string {
  return `${JSON.stringify(written).slice(0, -1)},${JSON.stringify(name)}:`;
}
