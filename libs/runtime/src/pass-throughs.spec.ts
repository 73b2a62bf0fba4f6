import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PassThroughs } from './pass-throughs.js';

const openFile = () => Promise.resolve({ body: new PassThrough() });
const LIMITED = { code: 'rate_limited', retryAfter: 5 };

describe('videos that are passed through', () => {
  it('are refused to who has as many as one may have, until one has ended', async () => {
    const open = new PassThroughs({ each: 2, total: 10 });
    const first = await open.open('a', openFile);
    await open.open('a', openFile);
    await expect(open.open('a', openFile)).rejects.toMatchObject(LIMITED);
    await open.open('b', openFile);
    first.body.destroy();
    await once(first.body, 'close');
    await open.open('a', openFile);
    await expect(open.open('a', openFile)).rejects.toMatchObject(LIMITED);
  });

  it('are refused to all when all together have as many as there may be', async () => {
    const open = new PassThroughs({ each: 2, total: 2 });
    await open.open('a', openFile);
    await open.open('b', openFile);
    await expect(open.open('c', openFile)).rejects.toMatchObject(LIMITED);
  });

  it('count no more once they could not be opened', async () => {
    const open = new PassThroughs({ each: 1, total: 1 });
    const fail = () => Promise.reject(new Error('away'));
    await expect(open.open('a', fail)).rejects.toThrow('away');
    await open.open('a', openFile);
  });
});
