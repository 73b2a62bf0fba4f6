/** A field that breaks a rule: its name and a sentence that begins with it. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';

  constructor(
    readonly param: string,
    rule: string,
  ) {
    super(`${param}: ${rule}`);
  }
}
