import { explainIssue, findReason, type RefusalReason, sayRefusal } from '@mg/contract';
import type { z } from 'zod';
import { findRule, type Rule } from './describe-issue.js';

interface ExplainedRefusal {
  readonly param: string;
  readonly message: string;
  readonly reason?: RefusalReason | undefined;
  readonly values?: readonly string[] | undefined;
}

/** Turns the first failed rule of a schema into the field's name, a sentence, and its reason where the rule is one of ours. */
export function explainRefusal(error: z.ZodError): ExplainedRefusal {
  const rule = error.issues[0] && readRule(error.issues[0]);
  return {
    ...explainIssue(error),
    reason: rule?.reason,
    values: rule?.values.length ? rule.values : undefined,
  };
}

function readRule(issue: z.core.$ZodIssue): Rule | undefined {
  if (issue.code === 'unrecognized_keys') return { reason: 'unknown_key', values: [] };
  const reason = findReason(issue.message);
  if (reason) return { reason, values: [] };
  const rule = findRule(issue);
  return rule && sayRefusal(rule.reason, rule.values) === issue.message ? rule : undefined;
}
