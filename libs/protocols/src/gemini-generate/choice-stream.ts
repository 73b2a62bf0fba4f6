import type { Block, ReasoningBlock, Signature } from '../canonical/blocks.js';
import type { EventWriter } from '../canonical/event-writer.js';
import { isCitable } from '../canonical/limit-items.js';
import type { Steps } from '../canonical/steps.js';
import { TextOffsets } from '../canonical/text-offsets.js';
import { type ByteCitation, toCitation } from './citations.js';

/** Writes one choice of a streamed answer as blocks that open and close in order. */
export class ChoiceStream {
  readonly #choice: number;
  readonly #writer: EventWriter;
  readonly #cited = new Set<string>();
  #open: 'text' | 'reasoning' | undefined;
  #text = new TextOffsets();
  /** Bytes of the texts before the open one. */
  #bytesBefore = 0;
  #textSignature: Signature | undefined;

  constructor(choice: number, writer: EventWriter) {
    this.#choice = choice;
    this.#writer = writer;
  }

  /** Takes a whole part: text and thoughts join what is open, everything else stands by itself. */
  add(block: Block): void {
    if (block.type === 'text') this.#addText(block.text);
    else if (block.type !== 'reasoning') this.#addWhole(block);
    else if (block.text === '' && this.#open === 'text') this.#textSignature = block.signature;
    else if (block.redacted || (block.text === '' && this.#open !== 'reasoning')) this.#addWhole(block);
    else this.#addThought(block);
  }

  /** Citations have to come inside the text they are about; each is given once, however often it is repeated. */
  *cite(citations: readonly ByteCitation[]): Steps<void> {
    if (this.#open !== 'text' || !isCitable(this.#writer.characters)) return;
    if (citations.length > 0) yield* this.#text.noteInSteps();
    for (const found of citations) {
      const key = JSON.stringify(found);
      if (this.#cited.has(key) || (found.endByte ?? Infinity) <= this.#bytesBefore) continue;
      this.#cited.add(key);
      this.#writer.delta(this.#choice, {
        type: 'citation',
        citation: toCitation(found, this.#text, this.#bytesBefore),
      });
      yield;
    }
  }

  close(): void {
    if (this.#open === undefined) return;
    this.#writer.close(this.#choice);
    if (this.#open === 'text' && isCitable(this.#writer.characters)) {
      this.#bytesBefore += Buffer.byteLength(this.#text.text);
    }
    this.#open = undefined;
    this.#text = new TextOffsets();
    const signature = this.#textSignature;
    this.#textSignature = undefined;
    if (signature) this.#addWhole({ type: 'reasoning', text: '', signature });
  }

  #addText(text: string): void {
    if (text === '') return;
    if (this.#open !== 'text') this.#start({ type: 'text', text: '' }, 'text');
    this.#text.add(text);
    this.#writer.delta(this.#choice, { type: 'text', text });
  }

  #addThought(block: ReasoningBlock): void {
    if (this.#open !== 'reasoning') this.#start({ type: 'reasoning', text: '' }, 'reasoning');
    if (block.text !== '') this.#writer.delta(this.#choice, { type: 'reasoning', text: block.text });
    if (!block.signature) return;
    this.#writer.delta(this.#choice, { type: 'signature', signature: block.signature });
    this.close();
  }

  #addWhole(block: Block): void {
    this.#start(block, undefined);
    this.#writer.close(this.#choice);
  }

  #start(block: Block, kind: 'text' | 'reasoning' | undefined): void {
    this.close();
    this.#writer.open(this.#choice, block);
    this.#open = kind;
  }
}
