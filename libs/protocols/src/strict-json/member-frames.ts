import type { KnownName, NameHash } from './name-table.js';

/** Objects with more members than this look their names up in a set. */
const FEW = 32;

/** An object or array that is being read. */
export interface Frame {
  isObject: boolean;
  /** In an object: whether the next string is a name. */
  awaitsName: boolean;
  /** Where the hashes of the names begin in the stack. */
  start: number;
  /** The names, once there are many. */
  many: Set<number> | undefined;
  /** In an array: values before the present one. */
  index: number;
  /** The member that is being read, where its name is known. */
  name: string | undefined;
}

/** The objects and arrays around a place in a body, and the names that each object has had so far. */
export class MemberFrames {
  readonly #frames: Frame[] = [];
  /** Hashes of the names of all open objects, two numbers each. */
  readonly #hashes: number[] = [];
  #used = 0;
  depth = 0;

  /** @returns the object or array that has begun. */
  open(isObject: boolean): Frame {
    const frame = (this.#frames[this.depth++] ??= createFrame());
    frame.isObject = isObject;
    frame.awaitsName = isObject;
    frame.start = this.#used;
    frame.many = undefined;
    frame.index = 0;
    frame.name = undefined;
    return frame;
  }

  /** @returns the object or array around the one that has ended; `undefined` outside of all. */
  close(): Frame | undefined {
    this.#used = this.#frames[--this.depth]?.start ?? 0;
    return this.depth === 0 ? undefined : this.#frames[this.depth - 1];
  }

  /** Notes a name of the innermost object. @returns `false` when the object has had it already. */
  add(frame: Frame, first: number, second: number): boolean {
    if (frame.many) {
      const joined = join(first, second);
      if (frame.many.has(joined)) return false;
      frame.many.add(joined);
      return true;
    }
    if (this.has(frame, first, second)) return false;
    this.#hashes[this.#used++] = first;
    this.#hashes[this.#used++] = second;
    if (this.#used - frame.start > 2 * FEW) this.#spread(frame);
    return true;
  }

  has(frame: Frame, first: number, second: number): boolean {
    if (frame.many) return frame.many.has(join(first, second));
    const hashes = this.#hashes;
    for (let at = frame.start; at < this.#used; at += 2) {
      if (hashes[at] === first && hashes[at + 1] === second) return true;
    }
    return false;
  }

  /** The other spelling of a known name that the object has had as well. */
  findSibling(frame: Frame, known: KnownName, { first, second }: NameHash): string | undefined {
    return known.spellings.find(
      (other) =>
        (other.first !== first || other.second !== second) && this.has(frame, other.first, other.second),
    )?.text;
  }

  /** Name of a member of the innermost object as errors tell it: `messages[3].role`. Unknown names on the way are left out. */
  nameMember(name: string): string {
    const path = this.#frames.slice(0, this.depth - 1).map((frame) => {
      if (!frame.isObject) return `[${frame.index}]`;
      return frame.name === undefined ? '' : `.${frame.name}`;
    });
    return `${path.join('')}.${name}`.replace(/^\./, '');
  }

  #spread(frame: Frame): void {
    frame.many = new Set();
    for (let at = frame.start; at < this.#used; at += 2) {
      frame.many.add(join(this.#hashes[at] ?? 0, this.#hashes[at + 1] ?? 0));
    }
    this.#used = frame.start;
  }
}

function createFrame(): Frame {
  return { isObject: false, awaitsName: false, start: 0, many: undefined, index: 0, name: undefined };
}

/** Both hashes as one number of 53 bits. */
function join(first: number, second: number): number {
  return first * 0x200000 + (second >>> 11);
}
