/** Longer texts are not looked through: going over ten megabytes of blank space takes thirty to sixty milliseconds. */
const LOOKED_THROUGH = 64 * 1024;

/** Whether a text is nothing but blank space. A longer one than anybody means to send is a text like any other, for its provider to refuse. */
export function isBlank(text: string): boolean {
  return text.length <= LOOKED_THROUGH && text.trim() === '';
}

/** A text without the blank space at its end, of which up to 64 KB are looked at. */
export function trimEndOf(text: string): string {
  const end = text.slice(-LOOKED_THROUGH);
  return text.slice(0, text.length - end.length + end.trimEnd().length);
}
