import { expect, it } from 'vitest';
import { findReplyEnd } from './find-reply-end.js';

const REPLIES = [
  '+OK\r\n',
  ':1\r\n',
  '-ERR no\r\n',
  '$5\r\nhello\r\n',
  '$0\r\n\r\n',
  '$-1\r\n',
  '*-1\r\n',
  '*0\r\n',
  '*3\r\n$7\r\nmessage\r\n$3\r\nmg:\r\n$4\r\n\r\n\r\n\r\n',
  '>3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n',
  '*2\r\n*2\r\n:1\r\n$1\r\na\r\n%1\r\n+key\r\n$3\r\none\r\n',
  '_\r\n',
  '#t\r\n',
];

it.each(REPLIES)('the end of %j is found once all of it is there, and not before', (text) => {
  const bytes = Buffer.from(`+before\r\n${text}+after\r\n`);
  const start = '+before\r\n'.length;
  const end = start + text.length;
  expect(findReplyEnd(bytes, start)).toBe(end);
  for (let there = start; there < end; there++) {
    expect(findReplyEnd(bytes.subarray(0, there), start)).toBeUndefined();
  }
});
