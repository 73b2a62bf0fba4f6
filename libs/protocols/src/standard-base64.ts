/** What standard base64 (https://www.rfc-editor.org/rfc/rfc4648#section-4) has not: letters for URLs, and line breaks. */
const FOREIGN = ['-', '_', '\n', '\r', ' '];

/**
 * Base64 as every provider reads it. Google's SDK for Python writes the letters for URLs, and some clients break lines or leave
 * out the padding, which strict decoders refuse. Megabytes that are as they should be are searched, not decoded.
 */
export function toStandardBase64(text: string): string {
  const isStandard = text.length % 4 === 0 && !FOREIGN.some((character) => text.includes(character));
  return isStandard ? text : Buffer.from(text, 'base64').toString('base64');
}
