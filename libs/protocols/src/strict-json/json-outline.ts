/** Bytes of a body, such as a string with its quotes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** What is left out of the text that `JSON.parse` reads: strings that are decoded apart, and white space. */
export interface LiftedSpan extends ByteSpan {
  readonly isString: boolean;
}

/** An object or array that is open where a body is cut. */
export interface OpenContainer {
  readonly isObject: boolean;
  /** In an object: the name of the member that is being read, as it is written. */
  readonly name: ByteSpan;
}

/** A place between two members or elements. */
export interface JsonCut {
  /** Offset of the comma. */
  readonly at: number;
  /** From the outermost to the innermost. */
  readonly open: readonly OpenContainer[];
}

/** From how many bytes on something is taken apart. */
export interface OutlineSizes {
  readonly longString: number;
  readonly longSpace: number;
  /** Between two cuts, without what is lifted. */
  readonly run: number;
}

/** A run takes `JSON.parse` a millisecond or two. */
const SIZES: OutlineSizes = { longString: 8 * 1024, longSpace: 512, run: 64 * 1024 };
/** Valid JSON that is nested at most 256 levels deep can always be cut before that. */
const MAX_RUN_BYTES = 1024 * 1024;

/**
 * Notes where a JSON text can be cut into runs that are quick to parse, while another class scans it: strings that are
 * better decoded apart, and commas with what is open around them. Is right about every text that `JSON.parse`
 * accepts. All offsets are those of the whole text.
 */
export class JsonOutline {
  readonly lifted: LiftedSpan[] = [];
  readonly cuts: JsonCut[] = [];
  readonly #sizes: OutlineSizes;
  #isBroken = false;
  #hasRoot = false;
  readonly #open: { isObject: boolean; nameStart: number; nameEnd: number }[] = [];
  #depth = 0;
  #deepest = 0;
  /** Bytes lifted so far: an offset without them is called plain. */
  #liftedBytes = 0;
  /** Plain offset at which the present run began. */
  #runStart = 0;
  /** A comma to cut at, unless a bracket closes right after it, which is for `JSON.parse` to refuse. */
  #comma = -1;
  /** Its plain offset. */
  #plainComma = 0;
  /** Whether a bracket has just opened: a comma after it is for `JSON.parse` to refuse. */
  #isFresh = false;

  constructor(sizes = SIZES) {
    this.#sizes = sizes;
  }

  /** Whether the text is no JSON for certain. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Most levels of objects and arrays inside each other. */
  get deepest(): number {
    return this.#deepest;
  }

  open(isObject: boolean): void {
    this.#beginValue();
    this.#isFresh = true;
    const container = (this.#open[this.#depth++] ??= { isObject, nameStart: 0, nameEnd: 0 });
    container.isObject = isObject;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
  }

  close(): void {
    this.#comma = -1;
    this.#isFresh = false;
    if (this.#depth === 0) this.#isBroken = true;
    else this.#depth--;
  }

  /** A value or a name. */
  string(start: number, end: number): void {
    this.#beginValue();
    if (end - start >= this.#sizes.longString) this.#lift({ start, end, isString: true });
  }

  /** The string that has just been read turns out to be a name. */
  name(start: number, end: number): void {
    const container = this.#open[this.#depth - 1];
    if (container === undefined) return;
    container.nameStart = start;
    container.nameEnd = end;
  }

  space(start: number, end: number): void {
    if (end - start >= this.#sizes.longSpace) this.#lift({ start, end, isString: false });
  }

  comma(at: number): void {
    this.#cut();
    const plain = at - this.#liftedBytes;
    if (plain - this.#runStart >= this.#sizes.run && !this.#isFresh && this.#depth > 0) {
      this.#comma = at;
      this.#plainComma = plain;
    }
    this.#isFresh = false;
  }

  /** @param length of the whole text. */
  end(length: number): void {
    if (this.#depth > 0) this.#isBroken = true;
    this.#endRun(length - this.#liftedBytes);
  }

  #beginValue(): void {
    this.#cut();
    this.#isFresh = false;
    if (this.#depth > 0) return;
    if (this.#hasRoot) this.#isBroken = true;
    this.#hasRoot = true;
  }

  #lift(span: LiftedSpan): void {
    this.lifted.push(span);
    this.#liftedBytes += span.end - span.start;
  }

  #cut(): void {
    if (this.#comma < 0) return;
    const open = this.#open
      .slice(0, this.#depth)
      .map(({ isObject, nameStart: start, nameEnd: end }) => ({ isObject, name: { start, end } }));
    this.cuts.push({ at: this.#comma, open });
    this.#comma = -1;
    this.#endRun(this.#plainComma);
  }

  #endRun(plain: number): void {
    if (plain - this.#runStart > MAX_RUN_BYTES) this.#isBroken = true;
    this.#runStart = plain;
  }
}
