import { describe, expect, it } from 'vitest';
import { NetworkSet } from './network-set.js';

const SET = new NetworkSet(['203.0.113.7', '10.1.0.0/16', '2001:db8::/32', '::ffff:192.0.2.0/120']);

describe('NetworkSet', () => {
  it.each([
    '203.0.113.7',
    '10.1.255.255',
    '2001:db8:1::1',
    '2001:0DB8:0001:0000:0000:0000:0000:0001',
    // A socket that listens for both families says so of an IPv4 client.
    '::ffff:10.1.2.3',
    '::ffff:0a01:0203',
    '192.0.2.9',
    '2001:db8::1%eth0',
  ])('has %s', (address) => expect(SET.has(address)).toBe(true));

  it.each([
    '203.0.113.8',
    '10.2.0.1',
    '2001:db9::1',
    '::ffff:10.2.0.1',
    '::10.1.2.3',
    // What a proxy may pass on of what a client wrote.
    '',
    'unknown',
    '10.1.2.3:80',
    '010.1.2.3',
    '10.1.2.3, 8.8.8.8',
  ])('has no "%s"', (address) => expect(SET.has(address)).toBe(false));

  it('has nothing when it is empty, and everything of a family by a prefix of zero', () => {
    expect(new NetworkSet([]).has('10.0.0.1')).toBe(false);
    expect(new NetworkSet(['0.0.0.0/0']).has('8.8.8.8')).toBe(true);
    expect(new NetworkSet(['0.0.0.0/0']).has('2001:db8::1')).toBe(false);
  });
});
