import { freeBuffer, moveInSlices } from '@mg/contract';
import { isHeavy, nextTurn } from './loop-turns.js';

const BLOCK_BYTES = 1024 * 1024;

/**
 * Gathers a body that comes in pieces, which nobody else reads. What is large is copied into blocks and its pieces are freed:
 * thousands of pieces of the network's size that live as long as a call leave a heap behind that malloc cannot give back.
 */
export class GatheredBytes {
  #pieces: Buffer[] = [];
  /** Bytes of the last block that are taken; only once the body is large. */
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const wasHeavy = isHeavy(this.#length);
    this.#length += chunk.length;
    if (!isHeavy(this.#length)) {
      this.#pieces.push(chunk);
      return;
    }
    if (!wasHeavy) {
      const pieces = this.#pieces;
      this.#pieces = [];
      for (const piece of pieces) this.#copy(piece);
    }
    this.#copy(chunk);
  }

  /** Forgets everything. */
  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  /** All bytes in one piece; a large body is joined in steps. Is called once. */
  join(): Buffer | Promise<Buffer> {
    if (isHeavy(this.#length)) return this.#joinBlocks();
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#length);
  }

  async #joinBlocks(): Promise<Buffer> {
    const blocks = this.#pieces;
    this.#pieces = [];
    const last = blocks.pop();
    if (last) blocks.push(last.subarray(0, this.#used));
    const joined = await moveInSlices(blocks, nextTurn);
    if (last) freeBuffer(last);
    return joined;
  }

  #copy(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      let block = this.#pieces.at(-1);
      if (!block || this.#used === BLOCK_BYTES) {
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        this.#pieces.push(block);
        this.#used = 0;
      }
      const copied = chunk.copy(block, this.#used, at);
      this.#used += copied;
      at += copied;
    }
    freeLater(chunk);
  }
}

/**
 * Frees the memory of a piece that was copied, once whoever received it has looked whether anything comes behind it. Left to the
 * garbage collector, the pieces of large bodies have it run again and again, and its threads keep the event loop from giving back
 * memory of its own.
 */
function freeLater(chunk: Buffer): void {
  setImmediate(freeBuffer, chunk);
}
