/** Adds up what bounds the tokens of a prompt: its bytes, its pictures, and what is not in the body at all. */
export class PromptMeter {
  pictures = 0;
  /** The first field whose tokens the body does not bound. */
  beyond: string | undefined;
  #textBytes: number;

  constructor(bodyBytes: number) {
    this.#textBytes = bodyBytes;
  }

  get textBytes(): number {
    return this.#textBytes;
  }

  /** @param base64 the picture itself where the body holds it; its length says nothing about its tokens. */
  addPicture(base64?: unknown): void {
    this.pictures++;
    if (typeof base64 === 'string') this.#textBytes -= base64.length;
  }

  addBeyond(param: string): void {
    this.beyond ??= param;
  }
}
