import { beforeEach, describe, expect, it } from 'vitest';
import {
  cutText,
  decodeBase64InSlices,
  decodeSlices,
  decodeTextSlices,
  encodeBase64InSlices,
  encodePieces,
  toStandardBase64,
} from './standard-base64.js';

const BYTES = Buffer.from([0xfb, 0xef, 0xff, 0x00, 0x3e]);
const STANDARD = BYTES.toString('base64');

describe('base64 of clients', () => {
  it.each([
    ['as it should be', STANDARD],
    ['with the letters for URLs, as Google’s SDK for Python writes it', '--__AD4='],
    ['without padding', STANDARD.replaceAll('=', '')],
    ['with line breaks', `${STANDARD.slice(0, 4)}\r\n${STANDARD.slice(4)}\n`],
  ])('reaches providers in its standard form: %s', (_, text) => {
    expect(toStandardBase64(text)).toBe(STANDARD);
  });
});

/** More than is converted in one step, so that slices end within a group and within a character. */
const LONG = 700_001;

describe('M5: megabytes of base64', () => {
  const text = '漢字 and 😀, é'.repeat(LONG / 10);
  const bytes = Buffer.from(text);
  const base64 = bytes.toString('base64');
  let steps = 0;
  const pause = async () => void steps++;
  beforeEach(() => void (steps = 0));

  it.each([
    ['in its standard form', base64],
    ['with the letters for URLs and without padding', bytes.toString('base64url')],
    ['with line breaks', base64.replaceAll(/.{76}/g, '$&\r\n')],
  ])('are read in steps: %s', async (_, written) => {
    const standard = await encodePieces(decodeSlices(written, pause));
    expect(Buffer.concat(standard).toString() === base64).toBe(true);
    expect((await decodeBase64InSlices(written, pause)).equals(bytes)).toBe(true);
    let decoded = '';
    for await (const slice of decodeTextSlices(written, pause)) decoded += slice;
    expect(decoded === text).toBe(true);
    expect(steps).toBeGreaterThanOrEqual(6);
  });

  it.each([0, 8, 600_001, 700_000])(
    'end at their padding, as short ones do: after %i characters',
    async (at) => {
      const written = `${base64.slice(0, at)}=\n${base64.slice(at)}`;
      const decoded = await decodeBase64InSlices(written, pause);
      expect(decoded.equals(Buffer.from(written, 'base64'))).toBe(true);
    },
  );

  it('are written in steps', async () => {
    expect((await encodeBase64InSlices(bytes, pause)) === base64).toBe(true);
    expect((await encodeBase64InSlices(bytes, pause, 'data:')) === `data:${base64}`).toBe(true);
    const encoded = await encodePieces(cutText(text, pause));
    expect(Buffer.concat(encoded).toString() === base64).toBe(true);
    expect(steps).toBeGreaterThanOrEqual(4);
  });
});
