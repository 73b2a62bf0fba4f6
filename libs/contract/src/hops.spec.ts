import { describe, expect, it } from 'vitest';
import { addHop, nameInstallation, readHops } from './hops.js';

const A = nameInstallation('the key of one installation, 32 characters');
const B = nameInstallation('the key of another installation');

describe('M4: a call that comes back to its gateway', () => {
  it('is refused as a loop', () => {
    expect(() => readHops(addHop(undefined, A), A)).toThrow(expect.objectContaining({ status: 508 }));
  });

  it('is refused as a loop through another gateway', () => {
    const throughB = addHop(readHops(addHop(undefined, A), B), B);
    expect(throughB).toBe(`${A},${B}`);
    expect(() => readHops(throughB, A)).toThrow(expect.objectContaining({ code: 'loop_detected' }));
  });

  it('is distinguished from a call that another gateway sends on', () => {
    expect(readHops(undefined, B)).toBeUndefined();
    expect(readHops(A, B)).toBe(A);
  });

  it('is refused after too many gateways, whoever they are', () => {
    const many = Array.from({ length: 4 }, (_, index) => nameInstallation(`${index}`)).join(', ');
    expect(() => readHops(many, A)).toThrow(expect.objectContaining({ code: 'loop_detected' }));
  });

  it('passes over what is no name of a gateway', () => {
    expect(readHops(`x, ${'a'.repeat(70_000)}, <script>`, A)).toBeUndefined();
    expect(readHops([`${B}`, 'x'], A)).toBe(B);
  });
});
