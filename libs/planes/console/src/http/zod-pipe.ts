import { explainIssue, GatewayError } from '@mg/contract';
import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';

/** Checks a body or a query by a schema. @throws GatewayError `invalid_request` that names the field. */
export class ZodPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  constructor(private readonly schema: Schema) {}

  transform(value: unknown): z.output<Schema> {
    const result = this.schema.safeParse(value ?? {}, { error: describeIssue });
    if (result.success) return result.data;
    const { param, message } = explainIssue(result.error);
    throw new GatewayError('invalid_request', message, { param: param === '' ? undefined : param });
  }
}

const uuid = z.uuid();

/** Checks a row's id in a path. What is no id is nobody's row: 404, as for another user's. */
export class RowIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    const result = uuid.safeParse(value);
    if (result.success) return result.data.toLowerCase();
    throw new GatewayError('not_found', 'There is no such row.');
  }
}
