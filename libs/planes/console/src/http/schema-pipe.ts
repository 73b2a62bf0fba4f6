import { findUnstorableText, GatewayError, refuse } from '@mg/contract';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';
import { explainRefusal } from './explain-refusal.js';

/**
 * Checks every parameter that names a schema, as in `@Body({ schema })`, after the rule that holds for every text of every
 * schema: it can be stored.
 *
 * @throws GatewayError `invalid_request` that names the field.
 */
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (!(schema instanceof z.ZodType)) return value;
    const unstorable = findUnstorableText(value);
    if (unstorable !== undefined) throw refuse('invalid_request', 'not_storable', { param: unstorable });
    const result = schema.safeParse(value === undefined ? {} : value, { error: describeIssue });
    if (result.success) return result.data;
    const { param, message, reason, values } = explainRefusal(result.error);
    throw new GatewayError('invalid_request', message, {
      param: param === '' ? undefined : param,
      reason,
      values,
    });
  }
}
