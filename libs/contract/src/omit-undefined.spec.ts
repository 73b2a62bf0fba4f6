import { describe, expect, expectTypeOf, it } from 'vitest';
import { omitUndefined } from './omit-undefined.js';

describe('omitUndefined', () => {
  it('leaves out what is undefined, and keeps the order of the rest', () => {
    const written = omitUndefined({ b: 1, missing: undefined, a: 'x', also: undefined, c: [2] });
    expect(JSON.stringify(written)).toBe('{"b":1,"a":"x","c":[2]}');
    expect(Object.keys(written)).toEqual(['b', 'a', 'c']);
  });

  it('keeps every other value', () => {
    const written = omitUndefined({ nothing: null, no: false, zero: 0, empty: '', last: undefined });
    expect(written).toStrictEqual({ nothing: null, no: false, zero: 0, empty: '' });
  });

  it('keeps a member of a caller that is named as the prototype', () => {
    const sent = JSON.parse('{"__proto__":{"admin":true},"a":1}') as Record<string, unknown>;
    const written = omitUndefined({ ...sent, missing: undefined });
    expect(JSON.stringify(written)).toBe('{"__proto__":{"admin":true},"a":1}');
    expect(Object.getPrototypeOf(written)).toBe(Object.prototype);
  });

  it('makes optional what may be undefined, and nothing else', () => {
    const write = (name: string | undefined) => omitUndefined({ type: 'text', count: 2 as number, name });
    expectTypeOf<ReturnType<typeof write>>().toExtend<{ type: 'text'; count: number; name?: string }>();
    expect(write('a')).toStrictEqual({ type: 'text', count: 2, name: 'a' });
    expect(write(undefined)).toStrictEqual({ type: 'text', count: 2 });
  });
});
