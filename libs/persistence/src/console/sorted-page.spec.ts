import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { BY_KEY, byNumber, byText, readCursor, type SortColumn, writeCursor } from './sorted-page.js';

const NAME = byText('lower(row.name)');
const BALANCE = byNumber('row.balance');
const KEY = '0197f0a0-0000-7000-8000-000000000000';

describe('a cursor', () => {
  it.each<[SortColumn, string | undefined]>([
    [BY_KEY, undefined],
    [NAME, ''],
    [NAME, 'zoë ~ t, 名字'],
    [BALANCE, '-12'],
    [BALANCE, '9223372036854775807'],
  ])('is read as it was written: %j %j', (column, value) => {
    const cursor = omitUndefined({ key: KEY, value });
    expect(readCursor(writeCursor(cursor, column), column)).toEqual(cursor);
  });

  it.each<[string, SortColumn]>([
    [KEY, NAME],
    [KEY, BALANCE],
    [`${KEY}~12`, BY_KEY],
    [`${KEY}~12`, NAME],
    [`${KEY}~tYQ`, BALANCE],
    [`${KEY}~9223372036854775808`, BALANCE],
    [`${KEY}~1e3`, BALANCE],
    [`${KEY}~1~2`, BALANCE],
    [`${KEY}~t_w`, NAME],
    [`${KEY}~tAA`, NAME],
  ])('of another order, or made up, is none: %s', (text, column) => {
    expect(readCursor(text, column)).toBeUndefined();
  });
});
