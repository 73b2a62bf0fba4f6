/** A stop string that was met. */
export interface FoundStop {
  readonly stop: string;
  /** Offset behind it in the text that was read last. */
  readonly end: number;
}

/** Code units; a state that another one branches off to by a unit stands at `state * UNITS + unit`. */
const UNITS = 0x10000;
const ROOT = 0;
/** No code unit. */
const NONE = -1;

/**
 * Stop strings as one automaton, which looks at each character of a text once, however many and however alike the strings are.
 * Each state stands for characters that one of them begins with.
 *
 * @see https://doi.org/10.1145/360825.360855 Aho and Corasick, Efficient string matching, 1975
 */
export class StopStrings {
  /** Of each state: a code unit that leads on to the next state, and that state. Most have one only. */
  readonly #unit: number[] = [NONE];
  readonly #next: number[] = [ROOT];
  /** The other states that one leads on to. */
  readonly #branches = new Map<number, number>();
  /** Of each state: the longest end of its characters that is a state, too. */
  readonly #fallback: number[] = [ROOT];
  /** Of each state: how many characters it stands for. */
  readonly #length: number[] = [0];
  /** Of each state: the longest stop string that its characters end with. */
  readonly #met: (string | undefined)[] = [undefined];

  /** @param stops none of them empty. */
  constructor(stops: readonly string[]) {
    const longest = Math.max(0, ...stops.map((stop) => stop.length));
    const ends = stops.map(() => ROOT);
    // Shorter states first: what a state falls back to is shorter than itself.
    for (let at = 0; at < longest; at++) {
      for (const [index, stop] of stops.entries()) {
        if (at < stop.length) ends[index] = this.#grow(ends[index] ?? ROOT, stop.charCodeAt(at));
        if (at === stop.length - 1) this.#met[ends[index] ?? ROOT] = stop;
      }
    }
  }

  /** The state that follows a state and a character. */
  follow(state: number, unit: number): number {
    let from = state;
    for (;;) {
      const next = this.#lead(from, unit);
      if (next !== undefined) return next;
      if (from === ROOT) return ROOT;
      from = this.#fallback[from] ?? ROOT;
    }
  }

  lengthOf(state: number): number {
    return this.#length[state] ?? 0;
  }

  metBy(state: number): string | undefined {
    return this.#met[state];
  }

  #lead(state: number, unit: number): number | undefined {
    return this.#unit[state] === unit ? this.#next[state] : this.#branches.get(state * UNITS + unit);
  }

  #grow(state: number, unit: number): number {
    const known = this.#lead(state, unit);
    if (known !== undefined) return known;
    const fallback = state === ROOT ? ROOT : this.follow(this.#fallback[state] ?? ROOT, unit);
    const added = this.#length.length;
    if (this.#unit[state] === NONE) {
      this.#unit[state] = unit;
      this.#next[state] = added;
    } else {
      this.#branches.set(state * UNITS + unit, added);
    }
    this.#unit.push(NONE);
    this.#next.push(ROOT);
    this.#fallback.push(fallback);
    this.#length.push(this.lengthOf(state) + 1);
    this.#met.push(this.#met[fallback]);
    return added;
  }
}

/** Looks for stop strings in a text that comes piece by piece. */
export class StopFinder {
  readonly #stops: StopStrings;
  #state = ROOT;

  constructor(stops: StopStrings) {
    this.#stops = stops;
  }

  /** Characters at the end of what was read that a stop string may begin with. */
  get pending(): number {
    return this.#stops.lengthOf(this.#state);
  }

  /** Reads the next piece, up to the first stop string that is whole; the longest of those that end there. */
  read(piece: string): FoundStop | undefined {
    for (let at = 0; at < piece.length; at++) {
      this.#state = this.#stops.follow(this.#state, piece.charCodeAt(at));
      const stop = this.#stops.metBy(this.#state);
      if (stop !== undefined) return { stop, end: at + 1 };
    }
    return undefined;
  }

  /** What comes next begins a text of its own. */
  restart(): void {
    this.#state = ROOT;
  }
}
