import { describe, expect, it } from 'vitest';
import { readGenericCall, readNativeCall } from './video-call.js';

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
