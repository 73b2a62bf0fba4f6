import { readObjects, readText } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Longest array that pieces may name: beyond it an index is a fault of the upstream, not data. */
const MAX_INDEX = 10_000;
/** Characters of all pieces of a call: they are written in one step. No model writes arguments that are as long. */
const MOST_CHARACTERS = 1024 * 1024;
/** What a piece takes beside its text, in characters. */
const CHARACTERS_PER_PIECE = 64;
type Container = JsonObject | unknown[];

/**
 * Puts together the arguments of a call that Vertex streams in pieces, each at its place (`$.a.b[0]`) and strings cut
 * anywhere.
 */
export class PartialArgs {
  readonly #root: JsonObject = {};
  #openPath: string | undefined;
  #characters = 0;

  /** Whether more has come than any model writes; what came after it is not kept. */
  get isTooLong(): boolean {
    return this.#characters > MOST_CHARACTERS;
  }

  add(pieces: unknown): void {
    for (const piece of readObjects(pieces)) {
      const path = readText(piece.jsonPath);
      this.#characters +=
        CHARACTERS_PER_PIECE + (path?.length ?? 0) + (readText(piece.stringValue)?.length ?? 0);
      if (this.isTooLong) return;
      if (path !== undefined) this.#place(path, piece);
    }
  }

  /** JSON text of the arguments so far. */
  toJson(): string {
    return JSON.stringify(this.#root);
  }

  #place(path: string, piece: JsonObject): void {
    const steps = parsePath(path);
    const last = steps?.pop();
    if (!steps || last === undefined) return;
    let at: Container = this.#root;
    steps.forEach((step, index) => {
      at = descend(at, step, typeof (steps[index + 1] ?? last) === 'number');
    });
    const before = this.#openPath === path ? readMember(at, last) : undefined;
    const value = readValue(piece);
    writeMember(at, last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
    this.#openPath = piece.willContinue === true ? path : undefined;
  }
}

function readValue(piece: JsonObject): unknown {
  if ('stringValue' in piece) return piece.stringValue;
  if ('numberValue' in piece) return piece.numberValue;
  if ('boolValue' in piece) return piece.boolValue;
  return null;
}

/** Steps of a path: names in dots or quoted brackets, numbers in brackets; `undefined` for one that cannot be read. */
function parsePath(path: string): (string | number)[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: (string | number)[] = [];
  const step = /\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found) return undefined;
    if (found[2] !== undefined && Number(found[2]) > MAX_INDEX) return undefined;
    steps.push(found[2] === undefined ? (found[1] ?? found[3] ?? found[4] ?? '') : Number(found[2]));
  }
  return steps.length > 64 ? undefined : steps;
}

function descend(at: Container, step: string | number, intoArray: boolean): Container {
  const inner = readMember(at, step);
  if (typeof inner === 'object' && inner !== null) return inner as Container;
  const created: Container = intoArray ? [] : {};
  writeMember(at, step, created);
  return created;
}

function readMember(at: Container, step: string | number): unknown {
  return Object.hasOwn(at, step) ? (at as JsonObject)[step] : undefined;
}

/** Defines rather than assigns, so that no name reaches a prototype. */
function writeMember(at: Container, step: string | number, value: unknown): void {
  Object.defineProperty(at, step, { value, writable: true, enumerable: true, configurable: true });
}
