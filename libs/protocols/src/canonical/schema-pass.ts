import { AttachedValue } from '../attached-value.js';
import type { JsonObject } from '../json.js';
import { runAtOnce, runInSlices, type Steps } from './steps.js';

/** What can be done with schemas in steps before it is asked for. */
export interface NotedSchemas {
  /** @param pause is waited for between two steps. */
  note(schemas: readonly JsonObject[], pause: () => Promise<void>): Promise<void>;
}

interface Noted<Result> {
  readonly result: Result;
}

/**
 * What is made of a JSON Schema, or found out about it, schema by schema from the inside out. Of those with thousands of properties
 * it can be made in steps before it is asked for.
 */
export class SchemaPass<Result> implements NotedSchemas {
  /** By outermost schema alone: what was made of those inside stands in what was made of it. */
  readonly #noted = new AttachedValue<JsonObject, Noted<Result>>();

  /**
   * @param read makes it of one schema, given what was made of those inside it: in steps, since one may have thousands of properties.
   * @param listInner the schemas that stand directly inside one.
   */
  constructor(
    private readonly read: (schema: JsonObject, inner: (schema: JsonObject) => Result) => Steps<Result>,
    private readonly listInner: (schema: JsonObject) => readonly JsonObject[],
  ) {}

  /** In one step, but for what was noted before. */
  readonly of = (schema: JsonObject): Result =>
    this.#noted.get(schema)?.result ?? runAtOnce(this.read(schema, this.of));

  /** Notes it in steps, so that `of` takes no time. */
  async note(outermost: readonly JsonObject[], pause: () => Promise<void>): Promise<void> {
    await runInSlices(this.#noteInSteps(outermost), pause);
  }

  *#noteInSteps(outermost: readonly JsonObject[]): Steps<undefined> {
    const schemas = [...outermost];
    for (const outer of schemas) {
      for (const inner of this.listInner(outer)) schemas.push(inner);
      yield;
    }
    const made = new Map<JsonObject, Noted<Result>>();
    const find = (schema: JsonObject) => made.get(schema) ?? this.#noted.get(schema);
    const of = (schema: JsonObject): Result => find(schema)?.result ?? runAtOnce(this.read(schema, of));
    for (const schema of schemas.toReversed()) {
      made.set(schema, find(schema) ?? { result: yield* this.read(schema, of) });
      yield;
    }
    for (const schema of outermost) this.#noted.set(schema, { result: of(schema) });
    return undefined;
  }
}
