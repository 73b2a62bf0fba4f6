import type { Usage } from '@mg/contract';
import type { Block, ReasoningBlock, Signature } from '../canonical/blocks.js';
import type { LateWriter, ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { BlockDelta, CanonicalEvent } from '../canonical/events.js';
import { isLongEvent, LateFrames } from '../canonical/late-frames.js';
import type { JsonObject } from '../json.js';
import { carryCallId } from './carry-call-id.js';
import { encodeCitation } from './citations.js';
import {
  describeMedia,
  encodeCallSignature,
  encodeEnd,
  encodeId,
  encodeSignature,
  refusalAsText,
} from './encode-response.js';
import { encodeUsage } from './encode-usage.js';
import { encodeFault } from './errors.js';

const HOME = 'anthropic-messages';

type EventOf<T extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: T }>;
type ChoiceEnd = Pick<EventOf<'choice-end'>, 'stop' | 'stopSequence' | 'refusal'>;

export function createStreamEncoder(context: ReplyContext): StreamEncoder {
  return new MessagesStreamEncoder(context);
}

/** Writes the first choice of a reply: this protocol knows only one. */
class MessagesStreamEncoder implements StreamEncoder {
  /** Files, blocks of the protocol's own, signatures and citations are given whole. */
  readonly late: LateWriter = {
    isLong: isLongEvent,
    encode: (event, pause) => this.#lateFrames.writeInSlices(() => this.encode(event), pause),
  };
  readonly #lateFrames = new LateFrames();
  readonly #context: ReplyContext;
  /** Index of the next block on the wire: some canonical blocks are left out, some become two. */
  #next = 0;
  /** Whether a block is open on the wire: one without content never is. */
  #open = false;
  /** Whether the block that is open is a call, whose signature could only have come before it. */
  #inCall = false;
  #usage: Usage | undefined;
  #end: ChoiceEnd = { stop: 'stop', stopSequence: undefined, refusal: undefined };

  readonly #events: {
    readonly [T in CanonicalEvent['type']]: (event: EventOf<T>) => string;
  } = {
    'reply-start': (event) => this.#startMessage(event),
    'block-start': (event) => (event.choice === 0 ? this.#startBlock(event.block) : ''),
    'block-delta': (event) => (event.choice === 0 ? this.#addDelta(event.delta) : ''),
    'block-end': (event) => (event.choice === 0 ? this.#closeBlock() : ''),
    'choice-end': (event) => this.#endChoice(event),
    logprobs: () => '',
    usage: (event) => this.#keepUsage(event.usage),
    'reply-end': () => this.#endMessage(),
    fault: (event) => this.#writeEvent('error', encodeFault(event.fault)),
  };

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  encode(event: CanonicalEvent): string {
    const write = this.#events[event.type] as (event: CanonicalEvent) => string;
    return write(event);
  }

  #startMessage(event: EventOf<'reply-start'>): string {
    return this.#writeEvent('message_start', {
      type: 'message_start',
      message: {
        id: encodeId(event.id),
        type: 'message',
        role: 'assistant',
        model: this.#context.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: encodeUsage(this.#usage),
      },
    });
  }

  #startBlock(block: Block): string {
    this.#inCall = block.type === 'tool-call';
    switch (block.type) {
      case 'text':
        return (
          this.#addText(block.text) + (block.citations ?? []).map((one) => this.#addCitation(one)).join('')
        );
      case 'reasoning':
        return this.#startReasoning(block);
      case 'tool-call': {
        const before = block.signature ? this.#addCallSignature(block.signature) : '';
        const start = { type: 'tool_use', id: carryCallId(block.id), name: block.name, input: {} };
        return before + this.#openBlock(start) + this.#addArguments(block.arguments);
      }
      case 'media':
        return this.#addText(describeMedia(block).join(''));
      case 'opaque':
        return block.protocol === HOME ? this.#openBlock(block.raw) : '';
      case 'tool-result':
        return '';
    }
  }

  #startReasoning(block: ReasoningBlock): string {
    if (block.redacted) {
      const data = encodeSignature(block.redacted, 'redacted');
      return this.#openBlock({ type: 'redacted_thinking', data });
    }
    return this.#addThinking(block.text) + (block.signature ? this.#addSignature(block.signature) : '');
  }

  #addDelta(delta: BlockDelta): string {
    switch (delta.type) {
      case 'text':
        return this.#addText(delta.text);
      case 'reasoning':
        return this.#addThinking(delta.text);
      case 'arguments':
        return this.#addArguments(delta.json);
      case 'signature':
        return this.#addSignature(delta.signature);
      case 'citation':
        return this.#addCitation(delta.citation);
    }
  }

  #addText(text: string): string {
    if (text === '') return '';
    const start = this.#open ? '' : this.#openBlock({ type: 'text', text: '' });
    return start + this.#writeDelta({ type: 'text_delta', text });
  }

  #addThinking(thinking: string): string {
    if (thinking === '') return '';
    return this.#openThinking() + this.#writeDelta({ type: 'thinking_delta', thinking });
  }

  #addSignature(signature: Signature): string {
    if (this.#inCall) return '';
    const value = encodeSignature(signature, 'thought');
    return this.#openThinking() + this.#writeDelta({ type: 'signature_delta', signature: value });
  }

  #addArguments(json: string): string {
    return json === '' ? '' : this.#writeDelta({ type: 'input_json_delta', partial_json: json });
  }

  #addCitation(citation: Parameters<typeof encodeCitation>[0]): string {
    const encoded = encodeCitation(citation);
    if (!encoded) return '';
    const start = this.#open ? '' : this.#openBlock({ type: 'text', text: '' });
    return start + this.#writeDelta({ type: 'citations_delta', citation: encoded });
  }

  #addCallSignature(signature: Signature): string {
    const { signature: packed, ...block } = encodeCallSignature(signature);
    return (
      this.#openBlock({ ...block, signature: '' }) +
      this.#writeDelta({ type: 'signature_delta', signature: packed }) +
      this.#closeBlock()
    );
  }

  #openThinking(): string {
    return this.#open ? '' : this.#openBlock({ type: 'thinking', thinking: '', signature: '' });
  }

  #openBlock(block: JsonObject): string {
    this.#open = true;
    return this.#writeEvent('content_block_start', {
      type: 'content_block_start',
      index: this.#next,
      content_block: block,
    });
  }

  #writeDelta(delta: JsonObject): string {
    return this.#writeEvent('content_block_delta', { type: 'content_block_delta', index: this.#next, delta });
  }

  #closeBlock(): string {
    if (!this.#open) return '';
    this.#open = false;
    return this.#writeEvent('content_block_stop', { type: 'content_block_stop', index: this.#next++ });
  }

  #endChoice(event: EventOf<'choice-end'>): string {
    if (event.choice !== 0) return '';
    const { stop, stopSequence, refusal } = event;
    this.#end = { stop, stopSequence, refusal };
    return this.#addText(refusalAsText(event) ?? '') + this.#closeBlock();
  }

  #keepUsage(usage: Usage): string {
    this.#usage = usage;
    return '';
  }

  #endMessage(): string {
    return (
      this.#writeEvent('message_delta', {
        type: 'message_delta',
        delta: encodeEnd(this.#end),
        usage: encodeUsage(this.#usage),
      }) + this.#writeEvent('message_stop', { type: 'message_stop' })
    );
  }

  #writeEvent(name: string, data: JsonObject): string {
    return this.#lateFrames.write(`event: ${name}\ndata: `, data, '\n\n');
  }
}
