import type { JsonObject } from '../json.js';
import type { ByteSpan, OpenContainer } from './json-outline.js';

interface RunPlace {
  /** What is open where the run begins, from the outermost to the innermost. */
  readonly open: readonly OpenContainer[];
  /** In the run's objects: name of the member that goes on from the run before. */
  readonly mark: string;
  /** A name as it is written, decoded. */
  readName(span: ByteSpan): string;
}

/**
 * Adds what a run holds to what the runs before it have made. Changes `whole`, and shares with `run` what lies below the
 * open brackets.
 */
export function mergeRun(whole: unknown, run: unknown, { open, mark, readName }: RunPlace): void {
  let target = whole;
  let part = run;
  for (const [level, { isObject, name }] of open.entries()) {
    const isInnermost = level === open.length - 1;
    if (isObject) {
      const [members, more] = [target as JsonObject, part as JsonObject];
      // Looked up before a later member of the same name takes its place.
      if (!isInnermost) target = members[readName(name)];
      part = more[mark];
      for (const key of Object.keys(more)) if (key !== mark) setMember(members, key, more[key]);
    } else {
      const [elements, more] = [target as unknown[], part as unknown[]];
      if (!isInnermost) target = elements.at(-1);
      part = more[0];
      for (let index = isInnermost ? 0 : 1; index < more.length; index++) elements.push(more[index]);
    }
  }
}

/** Sets a member as `JSON.parse` does: one of the name `__proto__` is a member like any other. */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
