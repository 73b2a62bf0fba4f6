import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { z } from 'zod';

type SchemaObject = Exclude<
  Parameters<typeof ApiResponse>[0]['schema' & keyof Parameters<typeof ApiResponse>[0]],
  undefined
>;

export interface RouteDescription {
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** Schema of the answer; without one the route answers without a body. */
  readonly answer?: z.ZodType;
  /** 200 unless told. */
  readonly status?: number;
  readonly isPublic?: boolean;
}

/** Describes a route in the OpenAPI document by the schemas that check it. */
export function DescribeRoute(route: RouteDescription): MethodDecorator {
  const parts: MethodDecorator[] = [ApiOperation({ summary: route.summary })];
  if (route.body) {
    // No body is an empty one.
    const required = !route.body.safeParse({}).success;
    parts.push(ApiBody({ required, schema: toSchema(route.body, 'input') }));
  }
  for (const [name, field] of Object.entries(route.query?.shape ?? {})) {
    const type = field as z.ZodType;
    const description = type.description;
    parts.push(
      ApiQuery({
        name,
        required: false,
        schema: toSchema(type, 'input'),
        ...(description === undefined ? {} : { description }),
      }),
    );
  }
  parts.push(
    ApiResponse({
      status: route.status ?? 200,
      description: route.answer ? 'The answer.' : 'Done.',
      ...(route.answer ? { schema: toSchema(route.answer, 'output') } : {}),
    }),
  );
  if (!route.isPublic) parts.push(ApiBearerAuth());
  return applyDecorators(...parts);
}

/** Every text that comes in is looked at for what cannot be stored: see `findUnstorableText`. */
const STORABLE = '^[^\\u0000]*$';

function isAnyText(schema: object): boolean {
  return !['pattern', 'format', 'enum', 'const'].some((name) => name in schema);
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): SchemaObject {
  return z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    // A known format says more than the expression that checks it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (io === 'input' && jsonSchema.type === 'string' && isAnyText(jsonSchema))
        jsonSchema.pattern = STORABLE;
    },
  }) as SchemaObject;
}
