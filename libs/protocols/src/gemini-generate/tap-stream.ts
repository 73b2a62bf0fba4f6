import { joinInSlices } from '@mg/contract';
import { readObject, readObjects } from '../canonical/read-fields.js';
import { readEvents } from '../framing/read-events.js';
import { readLargeBlock } from '../framing/read-large-events.js';
import { StreamTap, type TapReader, containsAny } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import { listGeminiTexts } from './read-produced-text.js';
import { readGeminiAnswerUsage } from './read-usage.js';

type Pause = () => Promise<void>;

const READER: TapReader = {
  mayMatter: containsAny('"usageMetadata"', '"error"', '"finishReason"'),
  readUsage: readGeminiAnswerUsage,
  readFault: (event) => (isObject(event.error) ? event : undefined),
  isEnd: (event) =>
    readObjects(event.candidates).some((candidate) => typeof candidate.finishReason === 'string') ||
    readObject(event.promptFeedback)?.blockReason !== undefined,
  listTexts: listGeminiTexts,
};

/**
 * Reads along a Gemini stream that is forwarded as it is. Upstreams are always asked for events; a client that wants a
 * JSON array gets the same chunks, each byte for byte, in an array.
 */
export class GeminiStreamTap extends StreamTap {
  readonly #framing: 'sse' | 'json-array';
  #elements = 0;

  constructor(options: { readonly framing?: 'sse' | 'json-array' } = {}) {
    super(READER);
    this.#framing = options.framing ?? 'sse';
  }

  override push(chunk: Buffer): Buffer;
  override push(chunk: Buffer, pause: Pause): Buffer | Promise<Buffer>;
  override push(chunk: Buffer, pause?: Pause): Buffer | Promise<Buffer> {
    if (!pause) return this.#frame(super.push(chunk));
    const block = super.push(chunk, pause);
    return block instanceof Promise
      ? block.then((large) => this.#frameLarge(large, pause))
      : this.#frame(block);
  }

  override end(): Buffer;
  override end(pause: Pause): Buffer | Promise<Buffer>;
  override end(pause?: Pause): Buffer | Promise<Buffer> {
    if (!pause) return this.#close(this.#frame(super.end()));
    const block = super.end(pause);
    return block instanceof Promise
      ? block.then(async (large) => this.#close(await this.#frameLarge(large, pause)))
      : this.#close(this.#frame(block));
  }

  #frame(block: Buffer): Buffer {
    return this.#framing === 'sse' ? block : this.#reframe(block);
  }

  #close(block: Buffer): Buffer {
    if (this.#framing === 'sse') return block;
    return Buffer.concat([block, Buffer.from(this.#elements === 0 ? '[]' : ']')]);
  }

  async #frameLarge(block: Buffer, pause: Pause): Promise<Buffer> {
    if (this.#framing === 'sse') return block;
    const pieces: Buffer[] = [];
    for await (const { data, bytes } of readLargeBlock(block, pause)) {
      const element = bytes ?? Buffer.from(data ?? '');
      if (element.length > 0) pieces.push(Buffer.from(this.#separate()), element);
    }
    return joinInSlices(pieces, pause);
  }

  /** What stands before an element of the array. */
  #separate(): string {
    return this.#elements++ === 0 ? '[' : ',\r\n';
  }

  #reframe(block: Buffer): Buffer {
    let text = '';
    for (const { data } of readEvents(block)) {
      if (data !== undefined && data !== '') text += this.#separate() + data;
    }
    return Buffer.from(text);
  }
}
