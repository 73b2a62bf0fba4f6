import { explainIssue, findUnstorableText, GatewayError, UNSTORABLE_RULE } from '@mg/contract';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';

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
    if (unstorable !== undefined) throw refuseField(unstorable, `${unstorable}: ${UNSTORABLE_RULE}.`);
    const result = schema.safeParse(value === undefined ? {} : value, { error: describeIssue });
    if (result.success) return result.data;
    const { param, message } = explainIssue(result.error);
    throw refuseField(param, message);
  }
}

function refuseField(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param: param === '' ? undefined : param });
}
