import { mergeUsage, type Usage } from '@mg/contract';
import { EventSplitter } from '../framing/event-splitter.js';
import { KeptText } from '../framing/kept-text.js';
import { readEvents } from '../framing/read-events.js';
import { parseObject, type JsonObject } from '../json.js';
import { readProducedText } from './read-produced-text.js';
import { readChunkUsage } from './read-usage.js';

const USAGE_KEY = Buffer.from('"usage"');
const ERROR_KEY = Buffer.from('"error"');
const DONE_MARK = Buffer.from('[DONE]');
/** Either shows that an answer is whole; look-alikes leave one or the other out. */
const END_MARKS = [DONE_MARK, Buffer.from('"finish_reason":"'), Buffer.from('"finish_reason": "')];
const NOTHING = Buffer.alloc(0);

/**
 * Reads along a chat stream that is forwarded as it is: takes usage out of it without re-encoding, withholds the
 * usage event that the gateway asked for and the client did not, and keeps what was produced for counting.
 */
export class ChatStreamTap {
  readonly #withholdUsage: boolean;
  readonly #splitter = new EventSplitter();
  #usage: Usage | undefined;
  #fault: JsonObject | undefined;
  readonly #kept = new KeptText(readProducedText);
  #events = 0;
  #ended = false;
  #done = false;

  constructor(options: { readonly withholdUsage: boolean }) {
    this.#withholdUsage = options.withholdUsage;
  }

  /** Usage as the upstream reported it, once it has. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The error event, once the upstream has sent one. Neither it nor anything after it is forwarded: its words are not for the client. */
  get fault(): JsonObject | undefined {
    return this.#fault;
  }

  /** Whether the upstream said that the answer is whole: a connection may close before that. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the last event of the stream has come: nothing is waited for after it. */
  get done(): boolean {
    return this.#done;
  }

  /** Events forwarded so far: a lower bound of the tokens produced that costs nothing to know. */
  get events(): number {
    return this.#events;
  }

  /**
   * Takes bytes of the upstream and returns those to forward now: whole events, untouched.
   *
   * @throws EventTooLargeError
   */
  push(chunk: Buffer): Buffer {
    const block = this.#splitter.push(chunk);
    return block === undefined ? NOTHING : this.#read(block);
  }

  /** Bytes to forward after the upstream's last one. */
  end(): Buffer {
    const rest = this.#splitter.takeRest();
    return rest === undefined ? NOTHING : this.#read(rest);
  }

  /** All text produced so far, for a tokenizer. */
  readText(): string {
    return this.#kept.read();
  }

  #read(block: Buffer): Buffer {
    if (this.#fault) return NOTHING;
    this.#events++;
    this.#kept.keep(block);
    this.#ended ||= END_MARKS.some((mark) => block.includes(mark));
    this.#done ||= this.#ended && block.includes(DONE_MARK);
    return holdsMember(block, USAGE_KEY) || holdsMember(block, ERROR_KEY) ? this.#readClosely(block) : block;
  }

  /** Reads the events of a block that tells usage or an error, and leaves out those that are not for the client. */
  #readClosely(block: Buffer): Buffer {
    const forwarded: Buffer[] = [];
    for (const event of readEvents(block)) {
      const chunk = event.data === undefined ? undefined : parseObject(event.data);
      if (chunk?.error !== undefined && chunk.error !== null) {
        this.#fault = chunk;
        break;
      }
      const usage = chunk && readChunkUsage(chunk);
      if (usage) this.#usage = this.#usage ? mergeUsage(this.#usage, usage) : usage;
      if (!(this.#withholdUsage && chunk && isUsageOnly(chunk))) {
        forwarded.push(block.subarray(event.start, event.end));
      }
    }
    return forwarded.length === 1 && forwarded[0]?.length === block.length ? block : Buffer.concat(forwarded);
  }
}

/** The event that `stream_options.include_usage` adds: usage and no choice. */
function isUsageOnly(chunk: JsonObject): boolean {
  return Array.isArray(chunk.choices) && chunk.choices.length === 0 && readChunkUsage(chunk) !== undefined;
}

const COLON = 0x3a;
const SPACE = 0x20;
const LETTER_N = 0x6e;

/** Whether a block has a member of this key whose value is not null; providers repeat `"usage":null` on every event. */
function holdsMember(block: Buffer, key: Buffer): boolean {
  for (let at = block.indexOf(key); at >= 0; at = block.indexOf(key, at + key.length)) {
    let value = at + key.length;
    while (block[value] === SPACE || block[value] === COLON) value++;
    if (block[value] !== LETTER_N) return true;
  }
  return false;
}
