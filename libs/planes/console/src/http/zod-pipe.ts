import { explainIssue, findUnstorableText, GatewayError, slugSchema, UNSTORABLE_RULE } from '@mg/contract';
import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';

/**
 * Checks a body or a query by a schema, after the rule that holds for every text of every schema: it can be stored.
 *
 * @throws GatewayError `invalid_request` that names the field.
 */
export class ZodPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  constructor(private readonly schema: Schema) {}

  transform(value: unknown): z.output<Schema> {
    const unstorable = findUnstorableText(value);
    if (unstorable !== undefined) throw refuseField(unstorable, `${unstorable}: ${UNSTORABLE_RULE}.`);
    const result = this.schema.safeParse(value === undefined ? {} : value, { error: describeIssue });
    if (result.success) return result.data;
    const { param, message } = explainIssue(result.error);
    throw refuseField(param, message);
  }
}

function refuseField(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param: param === '' ? undefined : param });
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

/** Checks a model's slug in a path. What is no slug is no model's: 404. */
export class SlugPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    const result = slugSchema.safeParse(value);
    if (result.success) return result.data;
    throw new GatewayError('not_found', 'There is no such row.');
  }
}
