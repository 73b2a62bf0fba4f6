import { type RefusalReason, sayRefusal } from '@mg/contract';

/** A field that breaks a rule: its name and a sentence that begins with it. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';

  constructor(
    readonly param: string,
    rule: string,
    readonly reason?: RefusalReason | undefined,
    readonly values?: readonly string[] | undefined,
  ) {
    super(`${param}: ${rule}`);
  }
}

/** A field that breaks a rule of ours. */
export function refuseField(
  param: string,
  reason: RefusalReason,
  values: readonly string[] = [],
): FieldProblem {
  return new FieldProblem(param, `${sayRefusal(reason, values)}.`, reason, values);
}
