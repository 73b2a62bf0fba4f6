import { randomUUID } from 'node:crypto';
import { joinInSlices } from '@mg/contract';

/** All indexes have as many digits. */
const FIRST_INDEX = 1_000_000;

/**
 * Texts that stand in a request for the content of files, until it is written: a flat string of 20 MB takes ten milliseconds by
 * itself, and one that is put together by `+=` more. Nobody can guess a mark, so no text of a caller holds one.
 */
export class FileMarks {
  readonly #nonce = randomUUID();
  readonly #contents: (readonly Buffer[])[] = [];

  /**
   * @param content as it stands within a string of JSON, in pieces.
   * @returns the mark for it.
   */
  add(content: readonly Buffer[]): string {
    return `${this.#nonce}${FIRST_INDEX + this.#contents.push(content) - 1}`;
  }

  /**
   * JSON with the content in the place of its marks; the very same where there is none.
   *
   * @param pause is waited for between two steps.
   */
  async put(json: Buffer, pause: () => Promise<void>): Promise<Buffer> {
    if (this.#contents.length === 0) return json;
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = json.indexOf(this.#nonce); at >= 0; at = json.indexOf(this.#nonce, from)) {
      const start = at + this.#nonce.length;
      const end = start + String(FIRST_INDEX).length;
      const content = this.#contents[Number(json.toString('latin1', start, end)) - FIRST_INDEX];
      if (!content) throw new Error('A mark names no file.');
      pieces.push(json.subarray(from, at), ...content);
      from = end;
    }
    return joinInSlices([...pieces, json.subarray(from)], pause);
  }
}
