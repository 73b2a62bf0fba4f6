import type { z } from 'zod';
import { refuseField } from '../canonical/refuse.js';

/**
 * Checks what the gateway reads of a request; members that the schema does not name pass unread.
 *
 * @param path where in the body the value stands; empty for the body itself.
 * @throws GatewayError `invalid_request` whose `param` names the first field that is wrong, as `messages[0].role`.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path = '',
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuseField(nameOf(issue?.path ?? [], path) || 'body', issue?.message ?? 'is not valid');
}

function nameOf(steps: readonly PropertyKey[], path: string): string {
  return steps.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, path);
}
