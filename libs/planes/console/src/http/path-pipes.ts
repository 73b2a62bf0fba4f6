import { refuse, slugSchema } from '@mg/contract';
import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';

const idSchema = z.uuid().toLowerCase();

/** Checks a row's id in a path. What is no id is no row: 404, as for another user's. */
export class RowIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    return parsePathPart(idSchema, value);
  }
}

/** Checks a model's slug in a path. What is no slug is no model's: 404. */
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    return parsePathPart(slugSchema, value);
  }
}

function parsePathPart(schema: z.ZodType<string>, value: string): string {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refuse('not_found', 'no_row');
}
