import { findUnstorableText, GatewayError, refuse } from '@mg/contract';
import { isObject } from '@mg/protocols';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { describeIssue } from './describe-issue.js';
import { explainRefusal } from './explain-refusal.js';

/** Items of a list. Most lists have a limit of their own; the models of a channel are some hundreds. */
const MOST_ITEMS = 1_500;

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
    const long = findLongList(value);
    // Each item that is wrong would be described before the first of them is named.
    if (long !== undefined) {
      throw refuse('invalid_request', 'too_big', { param: long, values: [MOST_ITEMS] });
    }
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

/** The name of a member that holds more than is checked in one step. */
function findLongList(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const long = Object.entries(value).find(([, items]) => Array.isArray(items) && items.length > MOST_ITEMS);
  return long?.[0];
}
