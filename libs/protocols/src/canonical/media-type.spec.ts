import { describe, expect, it } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import { measureCpuMs } from '../testing/cpu-time.js';
import { guessMediaType, mayBeImage, parseDataUrl } from './media-type.js';

const MEGABYTES = 16 * 1024 * 1024;
/** Of what is looked at: nothing near what megabytes would take. */
const MOST_MS = 8;

describe('a data URL', () => {
  it.each([
    ['data:image/PNG;base64,aGVsbG8=', { mediaType: 'image/png', base64: 'aGVsbG8=' }],
    ['data:image/jpg;charset=x; BASE64 ,aGVsbG8=', { mediaType: 'image/jpeg', base64: 'aGVsbG8=' }],
    ['data:,hello%20you', { mediaType: 'text/plain', base64: 'aGVsbG8geW91' }],
    ['data:text/plain,%', undefined],
    ['data:image/png;base64', undefined],
    ['https://example.com/a.png', undefined],
  ])('is read: %s', (url, read) => {
    expect(parseDataUrl(url)).toEqual(read);
  });

  it.each([
    ['parameters', `data:image/png${';'.repeat(MEGABYTES)},aGVsbG8=`],
    ['a type', `data:${'A'.repeat(MEGABYTES)},aGVsbG8=`],
    ['percent-encoded data', `data:image/png,${'%41'.repeat(MEGABYTES / 3)}`],
  ])('M5: is none with megabytes of %s, which nobody goes through', (_, url) => {
    expect(parseDataUrl(url)).toBeUndefined();
    expect(measureCpuMs(() => parseDataUrl(url))).toBeLessThan(MOST_MS);
  });

  it.each([
    ['with much percent-encoded data', `data:text/plain,${'%41'.repeat(30_000)}`],
    ['with a long head', `data:text/plain;${'a=b;'.repeat(300)}base64,aGVsbG8=`],
    ['in capitals', 'DATA:text/plain;base64,aGVsbG8='],
  ])('is no base64 itself: one %s is refused as a file', (_, url) => {
    const content = [{ type: 'input_file', filename: 'a.txt', file_data: url }];
    const decode = () =>
      findCodec('openai-responses').decodeRequest({ input: [{ role: 'user', content }] }, 'm', false);
    expect(decode).toThrow(
      expect.objectContaining({
        param: 'input[0].content[0].file_data',
        message: expect.stringContaining('is a data URL that cannot be read') as string,
      }),
    );
  });

  it('M5: is an image by its beginning', () => {
    const url = `data:IMAGE/png;base64,${'A'.repeat(MEGABYTES)}`;
    const other = `data:${'A'.repeat(MEGABYTES)}`;
    expect([mayBeImage(url), mayBeImage(other), mayBeImage('data:video/mp4;base64,')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(guessMediaType('https://example.com/A.PNG?b=c.pdf')).toBe('image/png');
    const address = `https://example.com/${'A'.repeat(MEGABYTES)}`;
    expect(measureCpuMs(() => [mayBeImage(url), mayBeImage(other), guessMediaType(address)])).toBeLessThan(
      MOST_MS,
    );
  });
});
