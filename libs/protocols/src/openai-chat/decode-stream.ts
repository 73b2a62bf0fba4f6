import type { StreamDecoder } from '../canonical/codec.js';
import { EventStreamDecoder } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import { readReplyIdText } from '../canonical/limit-answer.js';
import { MOST_CHOICES } from '../canonical/limit-items.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { isObject, type JsonObject } from '../json.js';
import { countChatItems } from './count-items.js';
import { ChoiceDecoder } from './decode-choice.js';
import { callId, decodeReply } from './decode-response.js';
import { readFaultObject } from './errors.js';
import { listChatAnswerInputs } from './list-inputs.js';
import { readChunkUsage } from './read-usage.js';

const TOO_MANY = `it holds more than ${MOST_CHOICES} answers`;

export function createStreamDecoder(): StreamDecoder {
  return new ChatStreamDecoder();
}

/**
 * Usage may come with the chunk that finishes, after it, or never: the reply ends with `[DONE]` or the connection, not
 * with the reason to finish.
 */
class ChatStreamDecoder extends EventStreamDecoder {
  readonly #choices = new Map<number, ChoiceDecoder>();
  #id = '';

  protected override readEvent(chunk: JsonObject, name: string | undefined): void {
    if (isFailure(chunk, name)) {
      this.writer.fault(readFaultObject(chunk) ?? garbled('it failed without a reason'));
      return;
    }
    this.#start(chunk);
    this.writer.usage(readChunkUsage(chunk));
    if (!Array.isArray(chunk.choices)) return;
    for (const choice of chunk.choices) {
      if (isObject(choice) && !this.writer.ended) this.#choiceOf(choice.index).read(choice);
    }
  }

  protected override readMark(data: string): boolean {
    if (!data.startsWith('[DONE]')) return false;
    this.#finish();
    return true;
  }

  protected override conclude(): void {
    const whole = this.#choices.size > 0 && [...this.#choices.values()].every((choice) => choice.finished);
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
    return countChatItems(chunk);
  }

  protected override listInputs(chunk: JsonObject): readonly object[] {
    return listChatAnswerInputs(chunk);
  }

  #start(chunk: JsonObject): void {
    if (this.#id === '' && typeof chunk.id === 'string') this.#id = readReplyIdText(chunk.id);
    if (this.writer.started) return;
    const model = typeof chunk.model === 'string' ? chunk.model : '';
    this.writer.start(this.#id, model, typeof chunk.created === 'number' ? chunk.created : 0);
  }

  #choiceOf(index: unknown): ChoiceDecoder {
    const number = typeof index === 'number' ? index : 0;
    let choice = this.#choices.get(number);
    if (!choice) {
      if (this.#choices.size === MOST_CHOICES) this.writer.fault(garbled(TOO_MANY));
      choice = new ChoiceDecoder(this.writer, number, (call) => callId(this.#id, call));
      this.#choices.set(number, choice);
    }
    return choice;
  }

  #finish(): void {
    if (!this.writer.started) {
      this.writer.fault(TRUNCATED);
      return;
    }
    if (this.#choices.size === 0) this.#choiceOf(0);
    for (const choice of this.#choices.values()) choice.end();
    if (!this.writer.ended) this.writer.end();
  }
}

function isFailure(chunk: JsonObject, name: string | undefined): boolean {
  return (chunk.error !== undefined && chunk.error !== null) || chunk.object === 'error' || name === 'error';
}
