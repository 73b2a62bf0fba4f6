import { describe, expect, it } from 'vitest';
import { gatherBytes } from './exchange/stored-bytes.js';
import { editBody } from './splice-json.js';
import { rewriteInSlices } from './strict-json/rewrite-in-slices.js';

const image = 'a'.repeat(1_000_000);
const large = Buffer.from(`{"model":"m","n":1,"image":"${image}","last":2}`);

describe('M5: a large body', () => {
  it('is edited without being copied', async () => {
    const edited = editBody(
      large,
      new Map([
        ['model', '"other"'],
        ['last', undefined],
        ['more', '3'],
      ]),
    );
    if (Buffer.isBuffer(edited)) throw new Error('it was copied');
    const pieces = [];
    for await (const piece of edited.read()) pieces.push(piece);
    expect(pieces.some(({ buffer }) => buffer === large.buffer)).toBe(true);
    const whole = await gatherBytes(edited);
    expect(whole.length).toBe(edited.length);
    expect(whole.toString() === `{"more":3,"model":"other","n":1,"image":"${image}"}`).toBe(true);
    expect(editBody(large, new Map())).toBe(large);
  });

  it('is changed in steps', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses++;
    };
    const changed = await rewriteInSlices(large, ({ model: _named, ...rest }) => rest, pause);
    expect(changed.toString() === `{"n":1,"image":"${image}","last":2}`).toBe(true);
    expect(pauses).toBeGreaterThan(10);
    expect(await rewriteInSlices(large, (parsed) => parsed, pause)).toBe(large);
    await expect(rewriteInSlices(Buffer.from('[]'), (parsed) => parsed, pause)).rejects.toThrow(SyntaxError);
  });
});
