import { describe, expect, it } from 'vitest';
import { toStandardBase64 } from './standard-base64.js';

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
