import { omitUndefined, type Usage } from '@mg/contract';
import type { Block, Citation, Signature } from '../canonical/blocks.js';
import { CodePointCounter } from '../canonical/code-points.js';
import type { LateWriter, ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { BlockDelta, CanonicalEvent } from '../canonical/events.js';
import { LateFrames } from '../canonical/late-frames.js';
import type { JsonObject } from '../json.js';
import { LIGHT, weigh } from '../strict-json/stringify-in-slices.js';
import { writeCallSignature, writeThinkingBlock } from './carry-reasoning.js';
import { encodeAnnotation, encodeCreated, encodeId, encodeImage } from './encode-response.js';
import { encodeUsage } from './encode-usage.js';
import { encodeFault } from './errors.js';
import { writeStopReason } from './map-stop-reason.js';

type EventOf<T extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: T }>;

/** What has been written of one choice, and what waits for its end. */
interface ChoiceState {
  /** The block that is open, with what can only be sent at its end. */
  block: Block['type'] | undefined;
  /** Of a text; the words of a thought are repeated. */
  length: CodePointCounter;
  thought: string;
  citations: Citation[];
  signature: Signature | undefined;
  redacted: Signature | undefined;
  /** Whether the open call has any argument yet. */
  written: boolean;
  /** Code points of the text blocks before the open one. */
  textStart: number;
  calls: number;
  readonly attached: Attached;
}

/** Lists that are sent once, whole: SDKs put together what comes in pieces, but no lists they do not know. */
interface Attached {
  readonly thinking_blocks: JsonObject[];
  readonly annotations: JsonObject[];
  readonly images: JsonObject[];
}

export function createStreamEncoder(context: ReplyContext): StreamEncoder {
  return new ChatStreamEncoder(context);
}

class ChatStreamEncoder implements StreamEncoder {
  /** What is sent once at the end of a choice: images, thoughts with what proves them, and citations. */
  readonly late: LateWriter = {
    isLong: (event) => event.type === 'choice-end' && this.#hasLongAttached(event.choice),
    encode: (event, pause) => this.#lateFrames.writeInSlices(() => this.encode(event), pause),
  };
  readonly #lateFrames = new LateFrames();
  readonly #context: ReplyContext;
  readonly #choices = new Map<number, ChoiceState>();
  /** What each chunk begins with, and the same as JSON: it is the same in all of them. */
  #headMembers: JsonObject = {};
  #head = '{';
  #usage: Usage | undefined;

  readonly #events: {
    readonly [T in CanonicalEvent['type']]: (event: EventOf<T>) => string;
  } = {
    'reply-start': (event) => this.#start(event),
    'block-start': (event) => this.#begin(event.choice) + this.#startBlock(event.choice, event.block),
    'block-delta': (event) => this.#addDelta(event.choice, event.delta),
    'block-end': (event) => this.#endBlock(event.choice),
    'choice-end': (event) => this.#begin(event.choice) + this.#endChoice(event),
    logprobs: (event) =>
      this.#begin(event.choice) + this.#write(event.choice, {}, { logprobs: event.logprobs }),
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

  #start(event: EventOf<'reply-start'>): string {
    this.#headMembers = {
      id: encodeId(event.id),
      object: 'chat.completion.chunk',
      created: encodeCreated(event.created),
      model: this.#context.model,
    };
    this.#head = `${JSON.stringify(this.#headMembers).slice(0, -1)},`;
    return this.#begin(0);
  }

  /** Clients want the role before anything else of a choice. */
  #begin(choice: number): string {
    if (this.#choices.has(choice)) return '';
    this.#choices.set(choice, {
      block: undefined,
      length: new CodePointCounter(),
      thought: '',
      citations: [],
      signature: undefined,
      redacted: undefined,
      written: false,
      textStart: 0,
      calls: 0,
      attached: { thinking_blocks: [], annotations: [], images: [] },
    });
    return this.#write(choice, { role: 'assistant', content: '' });
  }

  #startBlock(choice: number, block: Block): string {
    const state = this.#stateOf(choice);
    state.block = block.type;
    state.length = new CodePointCounter();
    state.thought = '';
    state.citations = [];
    switch (block.type) {
      case 'text':
        state.citations.push(...(block.citations ?? []));
        return this.#addText(choice, block.text);
      case 'reasoning':
        state.signature = block.signature;
        state.redacted = block.redacted;
        return this.#addReasoning(choice, block.text);
      case 'tool-call':
        state.written = block.arguments !== '';
        return this.#writeCall(choice, state.calls++, {
          id: block.id,
          type: 'function',
          function: { name: block.name, arguments: block.arguments },
          ...writeCallSignature(block.signature),
        });
      case 'media': {
        const image = encodeImage(block);
        if (image) state.attached.images.push(image);
        return '';
      }
      case 'opaque':
      case 'tool-result':
        return '';
    }
  }

  #addDelta(choice: number, delta: BlockDelta): string {
    const state = this.#stateOf(choice);
    switch (delta.type) {
      case 'text':
        return this.#addText(choice, delta.text);
      case 'reasoning':
        return this.#addReasoning(choice, delta.text);
      case 'arguments':
        if (delta.json === '') return '';
        state.written = true;
        return this.#writeCall(choice, state.calls - 1, { function: { arguments: delta.json } });
      case 'signature':
        if (state.block === 'tool-call') {
          return this.#writeCall(choice, state.calls - 1, writeCallSignature(delta.signature));
        }
        state.signature = delta.signature;
        return '';
      case 'citation':
        state.citations.push(delta.citation);
        return '';
    }
  }

  #endBlock(choice: number): string {
    const state = this.#stateOf(choice);
    const { block } = state;
    state.block = undefined;
    if (block === 'text') attachCitations(state);
    if (block === 'reasoning') attachReasoning(state);
    if (block !== 'tool-call' || state.written) return '';
    return this.#writeCall(choice, state.calls - 1, { function: { arguments: '{}' } });
  }

  #addText(choice: number, text: string): string {
    if (text === '') return '';
    this.#stateOf(choice).length.add(text);
    return this.#write(choice, { content: text });
  }

  #addReasoning(choice: number, text: string): string {
    if (text === '') return '';
    this.#stateOf(choice).thought += text;
    return this.#write(choice, { reasoning_content: text });
  }

  /** The deprecated form has room for one call, without an id. */
  #writeCall(choice: number, index: number, call: JsonObject): string {
    if (this.#context.functionCalls) {
      return index === 0 ? this.#write(choice, { function_call: call.function }) : '';
    }
    return this.#write(choice, { tool_calls: [{ index, ...call }] });
  }

  #endChoice(event: EventOf<'choice-end'>): string {
    const { choice, refusal } = event;
    const attached = Object.entries(this.#stateOf(choice).attached).filter(([, list]) => list.length > 0);
    return (
      (attached.length > 0 ? this.#write(choice, Object.fromEntries(attached)) : '') +
      (refusal === undefined ? '' : this.#write(choice, { refusal })) +
      this.#write(choice, {}, { finish_reason: writeStopReason(event.stop, this.#context.functionCalls) })
    );
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

  #write(choice: number, delta: JsonObject, beside: JsonObject = {}): string {
    return this.#writeChunk({
      choices: [{ index: choice, delta, finish_reason: null, ...beside }],
      usage: this.#context.includeUsage ? null : undefined,
    });
  }

  #hasLongAttached(choice: number): boolean {
    const attached = this.#choices.get(choice)?.attached;
    return attached !== undefined && weigh(attached) >= LIGHT;
  }

  /** @param members at least one. */
  #writeChunk(members: JsonObject): string {
    if (this.#lateFrames.keeps) {
      return this.#lateFrames.write('data: ', { ...this.#headMembers, ...members }, '\n\n');
    }
    return `data: ${this.#head}${JSON.stringify(members).slice(1)}\n\n`;
  }

  #stateOf(choice: number): ChoiceState {
    const state = this.#choices.get(choice);
    if (!state) throw new Error(`choice ${choice} has not begun`);
    return state;
  }
}

/** Where a citation ends is known only once its text is whole. */
function attachCitations(state: ChoiceState): void {
  const length = state.length.points;
  for (const citation of state.citations) {
    const annotation = encodeAnnotation(citation, state.textStart, length);
    if (annotation) state.attached.annotations.push(annotation);
  }
  state.textStart += length;
}

function attachReasoning({ thought: text, signature, redacted, attached }: ChoiceState): void {
  const block = writeThinkingBlock(omitUndefined({ type: 'reasoning', text, signature, redacted }));
  if (block) attached.thinking_blocks.push(block);
}
