import { type RefusalReason, REFUSALS, sayRefusal } from '@mg/contract';
import type { z } from 'zod';

/** Why something is refused, with what stands in the words of it. */
export interface Rule {
  readonly reason: RefusalReason;
  readonly values: readonly string[];
}

const TYPE_REASONS: Readonly<Record<string, RefusalReason>> = {
  string: 'not_a_string',
  number: 'not_a_number',
  int: 'not_a_whole_number',
  boolean: 'not_a_boolean',
  array: 'not_a_list',
  object: 'not_an_object',
  record: 'not_an_object',
};

/** Words for the rules that have none of their own; used for request bodies and the configuration file alike. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return REFUSALS.required;
  const rule = findRule(issue);
  return rule && sayRefusal(rule.reason, rule.values);
};

/** Which of the rules without words of their own an issue breaks; that a field is required is not told from its type here. */
export function findRule(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): Rule | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const reason = TYPE_REASONS[issue.expected];
      return reason ? { reason, values: [] } : { reason: 'not_of_type', values: [issue.expected] };
    }
    case 'invalid_value':
      return { reason: 'not_one_of', values: [issue.values.map(String).join(', ')] };
    case 'too_small':
      return { reason: issue.origin === 'string' ? 'too_short' : 'too_small', values: [`${issue.minimum}`] };
    case 'too_big':
      return { reason: issue.origin === 'string' ? 'too_long' : 'too_big', values: [`${issue.maximum}`] };
    case 'invalid_format':
      return issue.format === 'datetime'
        ? { reason: 'no_moment', values: [] }
        : { reason: 'not_valid', values: [issue.format] };
    default:
      return undefined;
  }
}
