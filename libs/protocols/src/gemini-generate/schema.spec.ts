import { describe, expect, it } from 'vitest';
import { openApiSchemas, toGeminiSchema } from './schema.js';

function convert(schema: Record<string, unknown>) {
  const dropped: string[] = [];
  const converted = toGeminiSchema(schema, 'tools[0].parameters', {
    add: (field) => void dropped.push(field),
  });
  return { converted, dropped };
}

describe('toGeminiSchema', () => {
  const layer = (count: number) => ({
    type: 'object',
    required: ['own'],
    allOf: Array.from({ length: count }, (_, at) => ({
      required: [`p${at}`],
      properties: { [`p${at}`]: { type: 'string' }, all: { const: at } },
    })),
  });

  it('lays schemas over each other: what stands first counts', () => {
    const { converted, dropped } = convert(layer(3));
    expect(dropped).toEqual([]);
    const text = { type: 'string' };
    expect(JSON.stringify(converted)).toBe(
      JSON.stringify({
        required: ['own', 'p0', 'p1', 'p2'],
        properties: { p2: text, all: { enum: [0] }, p1: text, p0: text },
        type: 'object',
      }),
    );
  });

  it('M5: lays hundreds over each other, and of thousands says that it does not', () => {
    const { converted, dropped } = convert(layer(256));
    expect([dropped, Object.keys(converted.properties ?? {}).length]).toEqual([[], 257]);
    expect(convert(layer(257))).toEqual({
      converted: { type: 'object', required: ['own'] },
      dropped: ['tools[0].parameters.allOf'],
    });
  });

  it('keeps what Google knows and names the constraints that had to go', () => {
    const { converted, dropped } = convert({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, default: 'Paris' },
        unit: { const: 'C' },
        days: { type: 'integer', minimum: 1, exclusiveMaximum: 8 },
      },
      required: ['city'],
      additionalProperties: false,
    });
    expect(converted).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['C'] },
        days: { type: 'integer', minimum: 1 },
      },
      required: ['city'],
      additionalProperties: false,
    });
    expect(dropped).toEqual(['tools[0].parameters.minLength', 'tools[0].parameters.exclusiveMaximum']);
  });

  it('never takes the name of a property for a keyword', () => {
    const properties = { const: { type: 'string' }, not: { type: 'string' }, $schema: { type: 'string' } };
    const { converted, dropped } = convert({ type: 'object', properties });
    expect(converted).toEqual({ type: 'object', properties });
    expect(dropped).toEqual([]);
  });

  it('moves definitions where references find them, and lays the parts of allOf over each other', () => {
    const { converted } = convert({
      definitions: { point: { type: 'object', properties: { x: { type: 'number', multipleOf: 2 } } } },
      allOf: [
        { type: 'object', properties: { a: { $ref: '#/definitions/point' } }, required: ['a'] },
        { properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    });
    expect(converted).toEqual({
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } } } },
      type: 'object',
      properties: { a: { $ref: '#/$defs/point' }, b: { type: 'string' } },
      required: ['a', 'b'],
    });
  });
});

describe('openApiSchemas', () => {
  it('reads types in capitals, counts as text, and nullable', () => {
    expect(
      openApiSchemas.of({
        type: 'OBJECT',
        properties: {
          type: { type: 'STRING', nullable: true },
          list: { type: 'ARRAY', items: { any_of: [{ type: 'NUMBER' }] }, min_items: '2' },
        },
        propertyOrdering: ['type', 'list'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        type: { type: ['string', 'null'] },
        list: { type: 'array', items: { anyOf: [{ type: 'number' }] }, minItems: 2 },
      },
    });
  });
});
