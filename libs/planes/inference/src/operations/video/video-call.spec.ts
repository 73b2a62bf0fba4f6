import { readVideoForm } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { nextTurn } from '../../edge/loop-turns.js';
import { readGenericCall, readNativeCall, writeOrder } from './video-call.js';

const generic = (fields: object) =>
  readGenericCall(Buffer.from(JSON.stringify({ model: 'm', prompt: 'p', ...fields })));
const native = (fields: object) =>
  readNativeCall(
    Buffer.from(JSON.stringify({ model: 'm', content: [{ type: 'text', text: 'p' }], ...fields })),
  );

describe('the price of an order', () => {
  it.each([
    [{}, []],
    [{ resolution: '1080P' }, ['1080P', '1080p']],
    [{ size: '1920x1080' }, ['1920x1080', '1080p', '1080p']],
    [{ width: 720, height: 1280 }, ['720x1280', '720p', '720p']],
  ])('with %j is looked up as %j', (fields, variants) => {
    expect(generic(fields).variants).toEqual(variants);
  });
});

describe('the deadline of an order', () => {
  it.each([
    [{}, 86_400],
    [{ execution_expires_after: 3_600 }, 3_600],
    [{ execution_expires_after: 1 }, 86_400],
    [{ execution_expires_after: 'soon' }, 86_400],
  ])('with %j is %i seconds', (fields, seconds) => {
    expect(native(fields).deadlineSeconds).toBe(seconds);
  });
});

/** Turns that others have while something is done. */
async function countTurns<Result>(work: () => Promise<Result>): Promise<{ result: Result; turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isDone = true;
  return { result, turns };
}

describe('C1: an order with megabytes of pictures', () => {
  const PICTURE = Buffer.alloc(6 * 1024 * 1024, 'picture ');

  it.each([
    ['generic', () => generic({ image: `data:image/png;base64,${PICTURE.toString('base64')}` })],
    ['native', () => native({ note: PICTURE.toString('base64') })],
  ])('is written down while others have their turns: %s', async (_, read) => {
    const call = read();
    const { result, turns } = await countTurns(() => writeOrder(call));
    expect(result.order.toString()).toBe(JSON.stringify(call.order));
    expect(turns).toBeGreaterThan(20);
  });

  it('is read from a form likewise', async () => {
    const parts = [
      { name: 'prompt', bytes: Buffer.from('a cat') },
      { name: 'input_reference', filename: 'a.png', contentType: 'image/png', bytes: PICTURE },
    ];
    const { result, turns } = await countTurns(() => readVideoForm(parts, nextTurn));
    expect(result).toEqual({
      prompt: 'a cat',
      input_reference: `data:image/png;base64,${PICTURE.toString('base64')}`,
    });
    expect(turns).toBeGreaterThan(10);
  });
});
