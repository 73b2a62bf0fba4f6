import { readObject, readObjects } from '../canonical/read-fields.js';
import { readEvents } from '../framing/read-events.js';
import { StreamTap, type TapReader, tellBy } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import { readGeminiProducedText } from './read-produced-text.js';
import { readGeminiAnswerUsage } from './read-usage.js';

const READER: TapReader = {
  isTelling: tellBy('"usageMetadata"', '"error"', '"finishReason"'),
  readUsage: readGeminiAnswerUsage,
  readFault: (event) => (isObject(event.error) ? event : undefined),
  isEnd: (event) =>
    readObjects(event.candidates).some((candidate) => typeof candidate.finishReason === 'string') ||
    readObject(event.promptFeedback)?.blockReason !== undefined,
  readText: readGeminiProducedText,
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

  override push(chunk: Buffer): Buffer {
    const block = super.push(chunk);
    return this.#framing === 'sse' ? block : this.#reframe(block);
  }

  override end(): Buffer {
    const block = super.end();
    if (this.#framing === 'sse') return block;
    const rest = this.#reframe(block);
    return Buffer.concat([rest, Buffer.from(this.#elements === 0 ? '[]' : ']')]);
  }

  #reframe(block: Buffer): Buffer {
    let text = '';
    for (const { data } of readEvents(block)) {
      if (data !== undefined && data !== '') text += (this.#elements++ === 0 ? '[' : ',\r\n') + data;
    }
    return Buffer.from(text);
  }
}
