/** A body as people read it: JSON with a line for each member, anything else, such as a stream of events, as it is. */
export function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
