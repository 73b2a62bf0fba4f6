import type { StreamDecoder } from '../canonical/codec.js';
import { EventStreamDecoder, type Pause } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import { MOST_CHOICES } from '../canonical/limit-items.js';
import type { CanonicalReply, StopReason } from '../canonical/reply.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { isObject, type JsonObject } from '../json.js';
import { readFaultObject } from '../openai-chat/errors.js';
import { countCompletionItems } from './count-items.js';
import { decodeReply } from './decode-response.js';
import { completionLogprobs, readCompletionLogprobs } from './logprobs.js';
import { readStopReason } from './map-stop-reason.js';
import { readChunkUsage } from './read-usage.js';

const TOO_MANY = `it holds more than ${MOST_CHOICES} answers`;

export function createStreamDecoder(): StreamDecoder {
  return new CompletionStreamDecoder();
}

/** Usage may come with the chunk that finishes, after it, or never: the reply ends with `[DONE]` or the connection. */
class CompletionStreamDecoder extends EventStreamDecoder {
  /** Why each choice ended, once it has. */
  readonly #stops = new Map<number, StopReason | undefined>();

  protected override readEvent(chunk: JsonObject, name: string | undefined): void {
    if ((chunk.error !== undefined && chunk.error !== null) || chunk.object === 'error' || name === 'error') {
      this.writer.fault(readFaultObject(chunk) ?? garbled('it failed without a reason'));
      return;
    }
    const { id, model, created } = chunk;
    this.writer.start(
      typeof id === 'string' ? id : '',
      typeof model === 'string' ? model : '',
      typeof created === 'number' ? created : 0,
    );
    this.writer.usage(readChunkUsage(chunk));
    if (!Array.isArray(chunk.choices)) return;
    for (const choice of chunk.choices) if (isObject(choice)) this.#readChoice(choice);
  }

  protected override readMark(data: string): boolean {
    if (!data.startsWith('[DONE]')) return false;
    this.#finish();
    return true;
  }

  protected override conclude(): void {
    const whole = this.#stops.size > 0 && ![...this.#stops.values()].includes(undefined);
    if (whole) this.#finish();
    else this.writer.fault(TRUNCATED);
  }

  protected override decodeReply(body: JsonObject): CanonicalReply {
    return decodeReply(body);
  }

  protected override readFaultObject(body: JsonObject): Fault | undefined {
    return readFaultObject(body);
  }

  protected override countItems(chunk: JsonObject): number {
    return countCompletionItems(chunk);
  }

  protected override async noteLogprobs(chunk: JsonObject, pause: Pause): Promise<void> {
    await completionLogprobs.reading.note(completionLogprobs.list(chunk), pause);
  }

  #readChoice({ index, text, logprobs, finish_reason: reason }: JsonObject): void {
    const choice = typeof index === 'number' ? index : 0;
    if (!this.#stops.has(choice) && this.#stops.size === MOST_CHOICES) this.writer.fault(garbled(TOO_MANY));
    const stop = typeof reason === 'string' ? readStopReason(reason) : undefined;
    this.#stops.set(choice, stop ?? this.#stops.get(choice));
    if (typeof text === 'string' && text !== '') {
      if (this.writer.openKind(choice) !== 'text') this.writer.open(choice, { type: 'text', text: '' });
      this.writer.delta(choice, { type: 'text', text });
    }
    const decoded = readCompletionLogprobs(logprobs);
    if (decoded) this.writer.logprobs(choice, decoded);
  }

  #finish(): void {
    if (!this.writer.started) {
      this.writer.fault(TRUNCATED);
      return;
    }
    if (this.#stops.size === 0) this.#stops.set(0, 'stop');
    for (const [choice, stop = 'stop'] of this.#stops) {
      this.writer.endChoice(choice, { stop, stopSequence: undefined, refusal: undefined });
    }
    this.writer.end();
  }
}
