import { expect, it } from 'vitest';
import { BufferedBody } from './buffered-body.js';

it('holds back what comes while its reader takes its time, the end too', async () => {
  const body = new BufferedBody();
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  body.data(Buffer.from('a'));
  body.data(Buffer.from('b'));
  body.attach({
    data(chunk) {
      seen.push(chunk.toString());
      if (seen.length === 1) return promise;
    },
    end: () => void seen.push('end'),
    fail: () => void seen.push('fail'),
  });
  body.data(Buffer.from('c'));
  body.end();
  expect(seen).toEqual(['a']);
  resolve();
  await promise;
  await Promise.resolve();
  expect(seen).toEqual(['a', 'b', 'c', 'end']);
});

it('fails when its reader cannot go on', async () => {
  const body = new BufferedBody();
  const failed = new Promise<string>((resolve) => {
    body.attach({
      data: () => Promise.reject(new Error('no room')),
      end: () => resolve('ended'),
      fail: ({ message }) => resolve(message),
    });
  });
  body.data(Buffer.from('a'));
  body.data(Buffer.from('b'));
  body.end();
  expect(await failed).toBe('it could not be read: no room');
});
