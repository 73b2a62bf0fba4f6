/** A code of the API in words. One that this page does not know, of another version of the Console, is shown as it is. */
export function sayCode(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}
