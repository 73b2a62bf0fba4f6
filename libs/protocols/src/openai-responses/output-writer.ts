import type { Block, Citation, Signature, ToolCallBlock } from '../canonical/blocks.js';
import type { ReplyContext } from '../canonical/codec.js';
import { CodePointCounter } from '../canonical/code-points.js';
import { isCitable } from '../canonical/limit-items.js';
import { packSignature } from '../canonical/carry-signature.js';
import type { BlockDelta } from '../canonical/events.js';
import { writeDataUrl } from '../canonical/media-type.js';
import { readList } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { CallForm } from './call-form.js';
import { encodeAnnotation } from './decode-parts.js';
import { encodeEncrypted } from './signatures.js';

/**
 * Takes typed events of a response; sequence numbers are its business. An event may be written after the next ones have come: what still
 * grows is not part of it but as a copy.
 */
export type EmitEvent = (type: string, fields: JsonObject) => void;

interface OpenMessage {
  readonly item: JsonObject;
  readonly content: JsonObject[];
  readonly index: number;
}

interface OpenText {
  readonly part: { type: string; text: string; annotations: JsonObject[]; logprobs: unknown[] };
  readonly at: JsonObject;
  readonly counter: CodePointCounter;
  /** What has come since the last citation: only what is cited is counted. */
  uncounted: string;
}

/** Writes blocks as the items of a response's output, and the events that report them as they grow. */
export class OutputWriter {
  readonly output: JsonObject[] = [];
  readonly #emit: EmitEvent;
  readonly #idBase: string;
  readonly #showReasoning: boolean;
  #message: OpenMessage | undefined;
  #text: OpenText | undefined;
  #item: { readonly item: JsonObject; readonly at: JsonObject } | undefined;
  #block: Block | undefined;
  #signature: Signature | undefined;
  #callForm: CallForm | undefined;
  readonly #toolOrigins: ReplyContext['toolOrigins'];

  /** @param idBase makes the items' ids unique among responses. */
  constructor(emit: EmitEvent, idBase: string, { showReasoning, toolOrigins }: ReplyContext) {
    this.#emit = emit;
    this.#idBase = idBase;
    this.#showReasoning = showReasoning ?? true;
    this.#toolOrigins = toolOrigins;
  }

  /** Whether a message is open: the next block may end it, and it is given once more then. */
  get hasMessage(): boolean {
    return this.#message !== undefined;
  }

  startBlock(block: Block): void {
    this.#block = block;
    this.#signature = block.type === 'reasoning' ? block.signature : undefined;
    switch (block.type) {
      case 'text':
        if (block.text !== '') this.addDelta({ type: 'text', text: block.text });
        for (const citation of block.citations ?? []) this.#addCitation(citation);
        return;
      case 'reasoning':
        if (block.text !== '') this.addDelta({ type: 'reasoning', text: block.text });
        return;
      case 'tool-call':
        this.#startCall(block);
        return;
      case 'media':
        this.#writeMedia(block);
        return;
      case 'opaque':
        if (block.protocol === 'openai-responses') this.#writeItem(block.raw);
        return;
      default:
        return;
    }
  }

  addDelta(delta: BlockDelta): void {
    switch (delta.type) {
      case 'text':
        this.#addText(delta.text);
        return;
      case 'reasoning':
        if (this.#showReasoning) this.#addReasoning(delta.text);
        return;
      case 'arguments':
        this.#addArguments(delta.json);
        return;
      case 'signature':
        this.#signature = delta.signature;
        return;
      case 'citation':
        this.#addCitation(delta.citation);
        return;
      default:
        return;
    }
  }

  endBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block?.type === 'text') this.#endText();
    else if (block?.type === 'reasoning') this.#endReasoning(block);
    else if (block?.type === 'tool-call') this.#endCall();
  }

  /** Log probabilities belong to the text that is being, or has just been, written; an empty delta carries them. */
  addLogprobs(content: unknown): void {
    const logprobs = readList(content);
    const part = this.#text?.part ?? this.#message?.content.at(-1);
    // Not all at once: a function takes a hundred thousand arguments at most.
    if (part && Array.isArray(part.logprobs)) for (const one of logprobs) part.logprobs.push(one);
    if (this.#text) this.#emit('response.output_text.delta', { ...this.#text.at, delta: '', logprobs });
  }

  /** Ends the choice: a refusal is a part of the message, and a message that was cut short says so. */
  end(refusal: string | undefined, isWhole: boolean): void {
    if (refusal !== undefined && refusal !== '') this.#writeRefusal(refusal);
    this.#endMessage(isWhole ? 'completed' : 'incomplete');
  }

  #openMessage(): OpenMessage {
    if (this.#message) return this.#message;
    const content: JsonObject[] = [];
    const item: JsonObject = {
      id: this.#nextId('msg'),
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    };
    this.#message = { item, content, index: this.#addItem(item) };
    item.content = content;
    return this.#message;
  }

  #endMessage(status: string): void {
    if (!this.#message) return;
    const { item, index } = this.#message;
    this.#message = undefined;
    item.status = status;
    this.#emit('response.output_item.done', { output_index: index, item });
  }

  #addText(text: string): void {
    if (text === '') return;
    const open = this.#openText();
    const { part, at } = open;
    part.text += text;
    if (isCitable(part.text.length)) open.uncounted += text;
    this.#emit('response.output_text.delta', { ...at, delta: text, logprobs: [] });
  }

  #openText(): OpenText {
    if (this.#text) return this.#text;
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    this.#text = { part, at: this.#addPart(part), counter: new CodePointCounter(), uncounted: '' };
    return this.#text;
  }

  /** Adds a part to the message; answers where it stands. */
  #addPart(part: JsonObject): JsonObject {
    const { item, content, index } = this.#openMessage();
    const at = { item_id: item.id, output_index: index, content_index: content.length };
    content.push(part);
    this.#emit('response.content_part.added', { ...at, part: structuredClone(part) });
    return at;
  }

  #addCitation(citation: Citation): void {
    const open = this.#openText();
    const { part, at, counter } = open;
    counter.add(open.uncounted);
    open.uncounted = '';
    const annotation = encodeAnnotation(citation, counter.points);
    if (!annotation) return;
    const index = part.annotations.push(annotation) - 1;
    this.#emit('response.output_text.annotation.added', { ...at, annotation_index: index, annotation });
  }

  #endText(): void {
    if (!this.#text) return;
    const { part, at } = this.#text;
    this.#text = undefined;
    this.#emit('response.output_text.done', { ...at, text: part.text, logprobs: part.logprobs });
    this.#emit('response.content_part.done', { ...at, part });
  }

  #writeRefusal(refusal: string): void {
    const part = { type: 'refusal', refusal: '' };
    const at = this.#addPart(part);
    part.refusal = refusal;
    this.#emit('response.refusal.delta', { ...at, delta: refusal });
    this.#emit('response.refusal.done', { ...at, refusal });
    this.#emit('response.content_part.done', { ...at, part });
  }

  #addReasoning(text: string): void {
    if (text === '') return;
    const { item, at } = this.#openReasoning();
    const [part] = item.summary as [{ text: string }];
    part.text += text;
    this.#emit('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta: text });
  }

  #openReasoning(): { readonly item: JsonObject; readonly at: JsonObject } {
    if (this.#item) return this.#item;
    const opened = this.#openItem({ id: this.#nextId('rs'), type: 'reasoning', summary: [] });
    const part = { type: 'summary_text', text: '' };
    this.#emit('response.reasoning_summary_part.added', {
      ...opened.at,
      summary_index: 0,
      part: { ...part },
    });
    opened.item.summary = [part];
    return opened;
  }

  #endReasoning(block: Extract<Block, { type: 'reasoning' }>): void {
    const encrypted = encodeEncrypted({ redacted: block.redacted, signature: this.#signature });
    if (!this.#item) {
      if (encrypted !== undefined) this.#writeCarrier(encrypted);
      return;
    }
    const { item, at } = this.#item;
    const [part] = item.summary as [{ text: string }];
    this.#emit('response.reasoning_summary_text.done', { ...at, summary_index: 0, text: part.text });
    this.#emit('response.reasoning_summary_part.done', { ...at, summary_index: 0, part });
    if (encrypted !== undefined) item.encrypted_content = encrypted;
    this.#endItem();
  }

  /** An item of reasoning without text: clients give it back, and with it what another provider wants to see again. */
  #writeCarrier(encrypted: string): void {
    this.#writeItem({ id: this.#nextId('rs'), type: 'reasoning', summary: [], encrypted_content: encrypted });
  }

  #startCall(block: ToolCallBlock): void {
    if (block.signature && block.signature.protocol !== 'openai-responses') {
      this.#writeCarrier(packSignature(block.signature, 'call'));
    }
    this.#callForm = new CallForm(block, block.origin ?? this.#toolOrigins?.get(block.name));
    this.#openItem(this.#callForm.open((prefix) => this.#nextId(prefix)));
    this.#addArguments(block.arguments);
  }

  /** Reads the arguments of the call that is open in steps, where they are long. @param pause is waited for between two steps. */
  async readCall(pause: () => Promise<void>): Promise<void> {
    if (this.#block?.type === 'tool-call') await this.#callForm?.read(pause);
  }

  #addArguments(json: string): void {
    if (!this.#item || json === '') return;
    const { item } = this.#item;
    const delta = this.#callForm?.add(item, json);
    if (delta) this.#emit(delta, { ...this.#item.at, delta: json });
  }

  #endCall(): void {
    if (!this.#item) return;
    const { item, at } = this.#item;
    if (this.#callForm?.isEmpty) this.#addArguments('{}');
    for (const { type, fields } of this.#callForm?.end(item) ?? []) this.#emit(type, { ...at, ...fields });
    this.#endItem();
  }

  /** An image is the result of generating one; other media have no item, and become a link where they have an address. */
  #writeMedia(block: Extract<Block, { type: 'media' }>): void {
    const { source } = block;
    if (source.type === 'bytes' && block.kind === 'image') {
      const id = this.#nextId('ig');
      this.#writeItem({ id, type: 'image_generation_call', status: 'completed', result: source.base64 });
    } else if (source.type === 'url') this.#writeLink(source.url);
    else if (source.type === 'bytes') this.#writeLink(writeDataUrl(source));
  }

  #writeLink(url: string): void {
    this.#addText(`[${url.startsWith('data:') ? 'attachment' : url}](${url})`);
    this.#endText();
  }

  #writeItem(item: JsonObject): void {
    this.#openItem(item);
    this.#endItem();
  }

  #openItem(item: JsonObject): { readonly item: JsonObject; readonly at: JsonObject } {
    this.#endMessage('completed');
    const index = this.#addItem(item);
    this.#item = { item, at: { item_id: item.id, output_index: index } };
    return this.#item;
  }

  #endItem(): void {
    if (!this.#item) return;
    const { item, at } = this.#item;
    this.#item = undefined;
    this.#emit('response.output_item.done', { output_index: at.output_index, item });
  }

  #addItem(item: JsonObject): number {
    const index = this.output.push(item) - 1;
    this.#emit('response.output_item.added', { output_index: index, item: { ...item } });
    return index;
  }

  #nextId(prefix: string): string {
    return `${prefix}_${this.#idBase}_${this.output.length}`;
  }
}
