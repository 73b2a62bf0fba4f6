import type { Usage } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import type { ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { BlockDelta, CanonicalEvent } from '../canonical/events.js';
import type { JsonObject } from '../json.js';
import { encodeCitation } from './citations.js';
import { HOME } from './decode-content.js';
import { encodeEnd } from './encode-response.js';
import { encodeFault } from './errors.js';
import { encodeUsage } from './read-usage.js';

type EventOf<T extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: T }>;

export function createStreamEncoder(_context: ReplyContext): StreamEncoder {
  return new ConverseStreamEncoder();
}

/** Writes the first choice of a reply as the events that the frames of AWS hold. */
class ConverseStreamEncoder implements StreamEncoder {
  /** Index of the next block on the wire: some canonical blocks are left out. */
  #next = 0;
  /** Whether a block is open on the wire: one without content never is. */
  #open = false;
  #usage: Usage | undefined;

  readonly #events: {
    readonly [T in CanonicalEvent['type']]: (event: EventOf<T>) => string;
  } = {
    'reply-start': () => writeEvent('messageStart', { role: 'assistant' }),
    'block-start': (event) => (event.choice === 0 ? this.#startBlock(event.block) : ''),
    'block-delta': (event) => (event.choice === 0 ? this.#addDelta(event.delta) : ''),
    'block-end': (event) => (event.choice === 0 ? this.#closeBlock() : ''),
    'choice-end': (event) => this.#endChoice(event),
    logprobs: () => '',
    usage: (event) => this.#keepUsage(event.usage),
    'reply-end': () => writeEvent('metadata', { usage: encodeUsage(this.#usage), metrics: { latencyMs: 0 } }),
    fault: (event) => writeEvent('error', encodeFault(event.fault)),
  };

  encode(event: CanonicalEvent): string {
    const write = this.#events[event.type] as (event: CanonicalEvent) => string;
    return write(event);
  }

  #startBlock(block: Block): string {
    switch (block.type) {
      case 'text':
        return (
          this.#addText(block.text) + (block.citations ?? []).map((one) => this.#addCitation(one)).join('')
        );
      case 'reasoning': {
        if (block.redacted?.protocol === HOME) {
          return this.#writeDelta({ reasoningContent: { redactedContent: block.redacted.value } });
        }
        const signature = block.signature
          ? this.#addDelta({ type: 'signature', signature: block.signature })
          : '';
        return this.#addReasoning(block.text) + signature;
      }
      case 'tool-call': {
        const start = { toolUse: { toolUseId: block.id, name: block.name } };
        this.#open = true;
        const opening = writeEvent('contentBlockStart', { contentBlockIndex: this.#next, start });
        return opening + this.#addArguments(block.arguments);
      }
      case 'media':
      case 'opaque':
      case 'tool-result':
        return '';
    }
  }

  #addDelta(delta: BlockDelta): string {
    switch (delta.type) {
      case 'text':
        return this.#addText(delta.text);
      case 'reasoning':
        return this.#addReasoning(delta.text);
      case 'arguments':
        return this.#addArguments(delta.json);
      case 'signature': {
        const { protocol, value } = delta.signature;
        return protocol === HOME ? this.#writeDelta({ reasoningContent: { signature: value } }) : '';
      }
      case 'citation':
        return this.#addCitation(delta.citation);
    }
  }

  #addText(text: string): string {
    return text === '' ? '' : this.#writeDelta({ text });
  }

  #addReasoning(text: string): string {
    return text === '' ? '' : this.#writeDelta({ reasoningContent: { text } });
  }

  #addArguments(json: string): string {
    return json === '' ? '' : this.#writeDelta({ toolUse: { input: json } });
  }

  #addCitation(one: Parameters<typeof encodeCitation>[0]): string {
    const citation = encodeCitation(one);
    return citation ? this.#writeDelta({ citation }) : '';
  }

  #writeDelta(delta: JsonObject): string {
    this.#open = true;
    return writeEvent('contentBlockDelta', { contentBlockIndex: this.#next, delta });
  }

  #closeBlock(): string {
    if (!this.#open) return '';
    this.#open = false;
    return writeEvent('contentBlockStop', { contentBlockIndex: this.#next++ });
  }

  #endChoice(event: EventOf<'choice-end'>): string {
    if (event.choice !== 0) return '';
    return (
      this.#addText(event.refusal ?? '') + this.#closeBlock() + writeEvent('messageStop', encodeEnd(event))
    );
  }

  #keepUsage(usage: Usage): string {
    this.#usage = usage;
    return '';
  }
}

function writeEvent(name: string, data: JsonObject): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
