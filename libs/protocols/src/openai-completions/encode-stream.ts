import type { Usage } from '@mg/contract';
import type { ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { CanonicalEvent } from '../canonical/events.js';
import type { JsonObject } from '../json.js';
import { encodeCreated } from '../openai-chat/encode-response.js';
import { encodeUsage } from '../openai-chat/encode-usage.js';
import { encodeFault } from '../openai-chat/errors.js';
import { encodeId } from './encode-response.js';
import { continueCompletionLogprobs, measureLogprobs } from './logprobs.js';
import { writeStopReason } from './map-stop-reason.js';

type EventOf<T extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: T }>;

export function createStreamEncoder(context: ReplyContext): StreamEncoder {
  return new CompletionStreamEncoder(context);
}

class CompletionStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  /** Choices that have said something. */
  readonly #speaking = new Set<number>();
  /** Code points of each choice whose log probabilities were sent. */
  readonly #offsets = new Map<number, number>();
  #head: JsonObject = {};
  #usage: Usage | undefined;

  readonly #events: {
    readonly [T in CanonicalEvent['type']]: (event: EventOf<T>) => string;
  } = {
    'reply-start': (event) => this.#start(event),
    'block-start': ({ choice, block }) => (block.type === 'text' ? this.#addText(choice, block.text) : ''),
    'block-delta': ({ choice, delta }) => (delta.type === 'text' ? this.#addText(choice, delta.text) : ''),
    'block-end': () => '',
    'choice-end': (event) => this.#endChoice(event),
    logprobs: (event) => this.#addLogprobs(event),
    usage: (event) => this.#keepUsage(event.usage),
    'reply-end': () => this.#end(),
    fault: (event) => `data: ${JSON.stringify(encodeFault(event.fault))}\n\n`,
  };

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  encode(event: CanonicalEvent): string {
    const write = this.#events[event.type] as (event: CanonicalEvent) => string;
    return write(event);
  }

  #start({ id, created }: EventOf<'reply-start'>): string {
    this.#head = {
      id: encodeId(id),
      object: 'text_completion',
      created: encodeCreated(created),
      model: this.#context.model,
    };
    return '';
  }

  #addText(choice: number, text: string): string {
    if (text === '') return '';
    this.#speaking.add(choice);
    return this.#write(choice, { text });
  }

  #addLogprobs({ choice, logprobs }: EventOf<'logprobs'>): string {
    const start = this.#offsets.get(choice) ?? 0;
    this.#offsets.set(choice, start + measureLogprobs(logprobs));
    return this.#write(choice, { logprobs: continueCompletionLogprobs(logprobs, start) });
  }

  #endChoice({ choice, stop, refusal }: EventOf<'choice-end'>): string {
    const words = this.#speaking.has(choice) ? '' : this.#addText(choice, refusal ?? '');
    return words + this.#write(choice, { finish_reason: writeStopReason(stop) });
  }

  #keepUsage(usage: Usage): string {
    this.#usage = usage;
    return '';
  }

  /** Usage goes last, in a chunk without choices, to clients that asked for it. */
  #end(): string {
    const usage =
      this.#context.includeUsage && this.#usage
        ? this.#writeChunk({ choices: [], usage: encodeUsage(this.#usage) })
        : '';
    return `${usage}data: [DONE]\n\n`;
  }

  #write(choice: number, members: JsonObject): string {
    return this.#writeChunk({
      choices: [{ text: '', index: choice, logprobs: null, finish_reason: null, ...members }],
      usage: this.#context.includeUsage ? null : undefined,
    });
  }

  #writeChunk(members: JsonObject): string {
    return `data: ${JSON.stringify({ ...this.#head, ...members })}\n\n`;
  }
}
