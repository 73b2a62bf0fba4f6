import { isObject, type JsonObject, roundInteger } from '../json.js';
import type { Extensions, ProtocolName } from './blocks.js';
import { placeAt } from './places.js';
import { refuseField } from './refuse.js';

/** Name of a member in sentences: `tools[0].name`. */
function nameOf(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Reads a string; `null` is the same as absent. @throws GatewayError */
export function checkText(object: JsonObject, key: string, path = ''): string | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : refuseField(nameOf(path, key), 'must be a string');
}

/** Reads a string that has to be there. @throws GatewayError */
export function needText(object: JsonObject, key: string, path = ''): string {
  return checkText(object, key, path) ?? refuseField(nameOf(path, key), 'must be a string');
}

/** Reads a finite number. @throws GatewayError */
export function checkNumber(object: JsonObject, key: string, path = ''): number | undefined {
  const value = roundInteger(object[key]);
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' ? value : refuseField(nameOf(path, key), 'must be a number');
}

/** Reads a count. @throws GatewayError */
export function checkCount(object: JsonObject, key: string, path = ''): number | undefined {
  const value = checkNumber(object, key, path);
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value;
  return refuseField(nameOf(path, key), 'must be an integer of 0 or more');
}

/** Reads a flag. @throws GatewayError */
export function checkFlag(object: JsonObject, key: string, path = ''): boolean | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'boolean' ? value : refuseField(nameOf(path, key), 'must be true or false');
}

/** Reads an object. @throws GatewayError */
export function checkObject(object: JsonObject, key: string, path = ''): JsonObject | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  return isObject(value) ? value : refuseField(nameOf(path, key), 'must be an object');
}

/** Reads a schema, which remembers where it stood. @throws GatewayError */
export function checkSchema(object: JsonObject, key: string, path = ''): JsonObject | undefined {
  const schema = checkObject(object, key, path);
  return schema && placeAt(nameOf(path, key), schema);
}

/** Reads an array; absent is empty. @throws GatewayError */
export function checkList(object: JsonObject, key: string, path = ''): readonly unknown[] {
  const value = object[key];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : refuseField(nameOf(path, key), 'must be an array');
}

/** An array that has to be there, neither empty nor longer than `most`. @throws GatewayError */
export function needItems(value: unknown, name: string, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) return refuseField(name, 'must be a non-empty array');
  if (value.length > most) refuseField(name, `must hold at most ${most} ${name}`);
  return value;
}

/** Reads an array of objects, with the name of each. @throws GatewayError */
export function checkObjects(
  object: JsonObject,
  key: string,
  path = '',
): readonly { readonly item: JsonObject; readonly name: string }[] {
  return checkList(object, key, path).map((item, index) => {
    const name = `${nameOf(path, key)}[${index}]`;
    return { item: isObject(item) ? item : refuseField(name, 'must be an object'), name };
  });
}

/** The members that nobody has read, or `undefined` when there are none; `null` counts as absent. */
export function pickRest(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const [key, value] of Object.entries(object)) {
    if (known.has(key) || key === '__proto__' || value === null || value === undefined) continue;
    rest ??= {};
    rest[key] = value;
  }
  return rest;
}

/** The `ext` of one protocol, or nothing at all where there is nothing to keep. */
export function extend(protocol: ProtocolName, rest: JsonObject | undefined): { ext?: Extensions } {
  return rest === undefined ? {} : { ext: { [protocol]: rest } };
}
