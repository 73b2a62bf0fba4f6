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
});
