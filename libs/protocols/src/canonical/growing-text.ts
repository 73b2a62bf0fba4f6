/** Pieces that are joined at a time, and their characters where they are long. */
const RUN_PIECES = 64;
const RUN_CHARACTERS = 4 * 1024;
/** Characters of a text that is kept whole; a longer one is not joined, for that takes 40 ms and more for 30 MB. */
const WHOLE_CHARACTERS = 64 * 1024;

/**
 * A text that grows by a token at a time. V8 keeps each string that is added to another until somebody reads the sum: of 240,000
 * tokens the garbage collector would have as many to look at, in one chain. So they are joined a few at a time.
 */
export class GrowingText {
  readonly #before: string[] = [];
  #text = '';
  #run: string[] = [];
  #length = 0;
  #joinedLength = 0;

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    this.#run.push(piece);
    const isLong = this.#length - this.#joinedLength >= RUN_CHARACTERS;
    if (isLong || this.#run.length === RUN_PIECES) this.#join();
  }

  /** All text so far; in pieces where it is long. */
  read(): string | readonly string[] {
    this.#join();
    return this.#before.length === 0 ? this.#text : [...this.#before, this.#text];
  }

  #join(): void {
    this.#text += this.#run.join('');
    this.#run = [];
    this.#joinedLength = this.#length;
    if (this.#text.length < WHOLE_CHARACTERS) return;
    this.#before.push(this.#text);
    this.#text = '';
  }
}
