import { GatewayError } from '@mg/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { SchemaPipe } from './schema-pipe.js';

it('C1: items of a list that is too long are not checked one by one', () => {
  const checked: string[] = [];
  const schema = z.strictObject({
    models: z.array(z.string().refine((text) => checked.push(text) > 0)),
  });
  const pass = (length: number) =>
    new SchemaPipe().transform({ models: Array<string>(length).fill('x') }, { type: 'body', schema });
  expect(pass(1_500)).toEqual({ models: checked });
  checked.length = 0;
  const refused = expect.objectContaining({ param: 'models', message: 'models: must be at most 1500.' });
  expect(() => pass(1_501)).toThrow(GatewayError);
  expect(() => pass(1_501)).toThrow(refused);
  expect(checked).toEqual([]);
});
