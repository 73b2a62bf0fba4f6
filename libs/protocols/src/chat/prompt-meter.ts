/** Adds up what bounds the tokens of a prompt: its bytes, its images, and what is not in the body at all. */
export class PromptMeter {
  images = 0;
  /** Whether some of its bytes are sound, or another file: more than their tokens, and nothing that a tokenizer counts. */
  hasMedia = false;
  /** The first field whose tokens the body does not bound. */
  unboundedField: string | undefined;
  #textBytes: number;

  constructor(bodyBytes: number) {
    this.#textBytes = bodyBytes;
  }

  get textBytes(): number {
    return this.#textBytes;
  }

  /** @param base64 the image itself where the body holds it; its length says nothing about its tokens. */
  addImage(base64?: unknown): void {
    this.images++;
    if (typeof base64 === 'string') this.#textBytes -= base64.length;
  }

  /** Sound, or another file whose tokens are fewer than its bytes. */
  addMedia(): void {
    this.hasMedia = true;
  }

  /** @param param the field, or what says it, where that costs something. */
  addUnbounded(param: string | (() => string)): void {
    this.unboundedField ??= typeof param === 'string' ? param : param();
  }
}
