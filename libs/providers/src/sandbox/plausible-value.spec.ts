import { allowMs, readThreadMs } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plausibleValue } from './plausible-value.js';

interface Tree {
  value: string;
  children: Tree[];
  parent: Tree | null;
}
const tree: z.ZodType<Tree> = z.strictObject({
  value: z.string(),
  get children() {
    return z.array(tree);
  },
  get parent() {
    return tree.nullable();
  },
});

describe('plausibleValue', () => {
  it.each([
    ['flat', z.strictObject({ city: z.string(), days: z.int().min(3).max(7), metric: z.boolean() })],
    ['choices', z.strictObject({ unit: z.enum(['celsius', 'kelvin']), kind: z.literal('report') })],
    [
      'bounds',
      z.strictObject({ n: z.number().gt(4).lt(9), tag: z.string().min(30), code: z.string().max(3) }),
    ],
    ['lists', z.strictObject({ names: z.array(z.string()).min(2), pair: z.tuple([z.string(), z.number()]) })],
    ['unions', z.strictObject({ who: z.union([z.null(), z.strictObject({ email: z.email() })]) })],
    ['formats', z.strictObject({ at: z.iso.datetime(), on: z.iso.date(), id: z.uuid(), see: z.url() })],
    ['recursion', tree],
  ])('writes a value that the schema accepts: %s', (_, schema) => {
    expect(schema.safeParse(plausibleValue(z.toJSONSchema(schema)))).toMatchObject({ success: true });
  });

  it('fills properties by what they are called', () => {
    const schema = {
      type: 'object',
      properties: { location: { type: 'string' }, user_email: { type: 'string' } },
    };
    expect(plausibleValue(schema)).toEqual({ location: 'Paris', user_email: 'alex@example.com' });
  });

  it('takes no schema for an object without properties', () => {
    expect(plausibleValue(undefined)).toEqual({});
  });

  const many = (count: number, rule: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, rule]));
  const itself = { $ref: '#' };

  it.each([
    ['a list of a billion', { type: 'array', minItems: 1_000_000_000 }],
    ['a text of a billion', { type: 'string', minLength: 1_000_000_000 }],
    ['itself', itself],
    ['itself, which must be there', { type: 'object', properties: { a: itself }, required: ['a'] }],
    ['itself a hundred times', { type: 'object', properties: many(100, itself) }],
    [
      'itself ten times, each of which must be there',
      {
        type: 'object',
        properties: many(10, itself),
        required: Object.keys(many(10, itself)),
      },
    ],
    ['itself in lists', { type: 'array', minItems: 20, items: itself }],
    ['itself in a choice', { anyOf: [itself] }],
    ['itself in all of it', { allOf: [itself, { properties: many(1_000, itself) }] }],
    [
      'a large value again and again',
      {
        type: 'object',
        properties: many(500, { $ref: '#/$defs/large' }),
        $defs: { large: { const: 'x'.repeat(100_000) } },
      },
    ],
    [
      'a thousand names of four thousand letters',
      {
        type: 'array',
        minItems: 1_000,
        items: { type: 'object', properties: { ['n'.repeat(4_000)]: {} } },
      },
    ],
  ])('C1: comes to an end with a schema of %s', (_, schema) => {
    const startedMs = readThreadMs();
    expect(JSON.stringify(plausibleValue(schema)).length).toBeLessThan(50_000);
    const tookMs = readThreadMs() - startedMs;
    expect(tookMs).toBeLessThan(allowMs(1_000, tookMs));
  });
});
