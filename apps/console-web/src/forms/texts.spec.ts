import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as texts from './texts.js';

const { slugs, networks, emails } = texts;
const SCHEMAS = { ...texts, slugs: slugs(null), networks: networks(null), emails: emails(null) };

/** What is sent of a text, or what is wrong with it. */
function read(schema: z.ZodMiniType<unknown, string>, text: string): unknown {
  const result = schema.safeParse(text);
  return result.success ? result.data : result.error.issues[0]?.message;
}

describe('texts of forms', () => {
  it.each([
    ['name', '  ', 'required'],
    ['name', ' a ', 'a'],
    ['name', 'a'.repeat(129), 'name_too_long'],
    ['newPassword', 'seven77', 'too_short 8'],
    ['newPassword', '', 'required'],
    ['newPassword', ' eight 88', ' eight 88'],
    ['email', 'nobody', 'no_email'],
    ['email', ' Some.Body@example.com ', 'Some.Body@example.com'],
    ['usd', 'five', 'no_amount'],
    ['usd', '0.0000000001', 'no_amount'],
    ['usd', ' 7.50 ', '7.50'],
    ['usdAboveZero', '0.00', 'zero'],
    ['movedUsd', '-3', '-3'],
    ['price', '1000000', 'no_price'],
    ['share', '1.1', 'no_share'],
    ['duration', '1 day', 'no_duration'],
    ['duration', '15m', '15m'],
    ['slug', 'a slug', 'no_slug'],
    ['slugs', 'small, a/b large', ['small', 'a/b', 'large']],
    ['slugs', 'small, ?', 'no_slug'],
    ['networks', '127.0.0.0/8, ::1', ['127.0.0.0/8', '::1']],
    ['networks', '127.0.0.0/8, office', 'no_network_address'],
    ['emails', 'a@example.com; b@example.com', ['a@example.com', 'b@example.com']],
    ['timeZone', '+02:00', 'no_time_zone'],
    ['timeZone', 'Europe/Berlin', 'Europe/Berlin'],
    ['httpAddress', 'ftp://a.example.com', 'no_http_address'],
    ['httpAddress', 'http://127.0.0.1:80/v1', 'http://127.0.0.1:80/v1'],
    ['mailServer', 'smtp.example.com', 'no_mail_server'],
    ['moment', '2027-01-01T00:00', new Date('2027-01-01T00:00').toISOString()],
    ['moment', '2027-01-01 14:05', new Date('2027-01-01T14:05').toISOString()],
    ['moment', '2027-01-01', new Date('2027-01-01T00:00').toISOString()],
    ['moment', '2027-01-01 24:00', 'no_moment'],
    ['moment', '01', 'no_moment'],
    ['moment', '202610-12-31T10:00', 'no_moment'],
    ['day', '2028-02-29', '2028-02-29'],
    ['day', '2027-02-29', 'no_moment'],
    ['jsonObject', '{"a": 1}', { a: 1 }],
    ['jsonObject', '[1]', 'not_an_object'],
    ['jsonObject', '{', 'not_an_object'],
  ] as const)('%s of “%s”: %j', (kind, text, said) => {
    expect(read(SCHEMAS[kind], text)).toEqual(said);
  });

  it.each([
    ['many', 'not_a_whole_number'],
    ['1.5', 'not_a_whole_number'],
    ['', 'required'],
    ['0', 'too_small 1'],
    ['61', 'too_big 60'],
    [' 60 ', 60],
  ])('a whole number from 1 to 60: “%s” is %s', (text, said) => {
    expect(read(texts.wholeNumber(1, 60), text)).toBe(said);
  });

  it('may be left empty where nothing is said then', () => {
    const amount = texts.orNothing(texts.usd, null);
    expect(['', ' ', '5', ','].map((text) => read(amount, text))).toEqual([null, null, '5', 'no_amount']);
    expect(['', ' , ', 'small'].map((text) => read(slugs(null), text))).toEqual([null, null, ['small']]);
  });
});
