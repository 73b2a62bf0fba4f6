/** `T` where what may be `undefined` is optional instead. */
type OmitUndefined<T> = T extends unknown
  ? { -readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
      -readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
    }
  : never;

/**
 * An object literal without those of its members that are `undefined`, the others in the order they are written in:
 * `omitUndefined({ text, name: name === '' ? undefined : name })`. `null`, `false`, 0 and '' are kept. Where nothing is
 * to be left out, it is the very object that was given.
 */
export function omitUndefined<const T extends object>(members: T): OmitUndefined<T>;
export function omitUndefined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const name in members) {
    if (members[name] === undefined) return copyDefined(members);
  }
  return members;
}

function copyDefined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    // Of what a caller sends, a member of this name would be the prototype if it were assigned.
    if (name === '__proto__') Object.defineProperty(kept, name, { value, enumerable: true });
    else kept[name] = value;
  }
  return kept;
}
