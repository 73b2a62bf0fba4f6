import { CodePointCounter } from '../canonical/code-points.js';
import type { ReasoningBlock } from '../canonical/blocks.js';
import type { EventWriter } from '../canonical/event-writer.js';
import { TOO_LONG_NAMES } from '../canonical/limit-answer.js';
import { isCitable } from '../canonical/limit-items.js';
import { readObjects } from '../canonical/read-fields.js';
import type { StopReason } from '../canonical/reply.js';
import { resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { garbled } from '../canonical/stream-faults.js';
import { isObject, type JsonObject } from '../json.js';
import { CallQueue } from './call-queue.js';
import { readThinkingBlock } from './carry-reasoning.js';
import { holdsTooManyFacts, readDetail } from './reasoning-details.js';
import { decodeAnnotation, decodeImage, readContentPieces } from './decode-response.js';
import { readStopReason } from './map-stop-reason.js';

const HOME = 'openai-chat';

/** Characters of thoughts that are searched for those that signatures repeat, of which there may be thousands. */
const MOST_SEARCHED = 8 * 1024 * 1024;

/** Reads the deltas of one choice of a stream. */
export class ChoiceDecoder {
  readonly #writer: EventWriter;
  readonly #choice: number;
  readonly #calls: CallQueue;
  #stop: StopReason | undefined;
  #refusal = '';
  /** Of the text that is open. */
  #length = new CodePointCounter();
  /** Code points of the texts before it: citations count from the message's start. */
  #textStart = 0;
  /** Reasoning sent so far: a signature may come after them all, with their text once more. */
  #reasoningText = '';
  /** Characters that were searched for what signatures repeat. */
  #searched = 0;

  constructor(writer: EventWriter, choice: number, makeCallId: (index: number) => string) {
    this.#writer = writer;
    this.#choice = choice;
    this.#calls = new CallQueue(writer, choice, makeCallId);
  }

  get finished(): boolean {
    return this.#stop !== undefined;
  }

  /** Takes one entry of a chunk's `choices`. */
  read(choice: JsonObject): void {
    const delta = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {};
    this.#readReasoning(delta);
    for (const { kind, text } of readContentPieces(delta.content)) {
      if (kind === 'text') this.#addText(text);
      else this.#addReasoning(text);
    }
    if (typeof delta.refusal === 'string') this.#refusal += delta.refusal;
    this.#readAttachments(delta);
    this.#readCalls(delta);
    if (isObject(choice.logprobs)) this.#writer.logprobs(this.#choice, choice.logprobs);
    if (typeof choice.finish_reason === 'string') this.#stop = readStopReason(choice.finish_reason);
  }

  /** The reply has ended: closes what is open and says why the choice ended. */
  end(): void {
    this.#calls.flush();
    if (this.#writer.ended) return;
    this.#writer.endChoice(this.#choice, {
      stop: resolveStopReason(this.#stop ?? 'stop', this.#calls.any),
      stopSequence: undefined,
      refusal: this.#refusal === '' ? undefined : this.#refusal,
    });
  }

  /** Look-alikes name reasoning one way or another, and some both ways at once. */
  #readReasoning(delta: JsonObject): void {
    const { reasoning_content: text, reasoning } = delta;
    if (typeof text === 'string' && text !== '') this.#addReasoning(text);
    else if (typeof reasoning === 'string' && reasoning !== '') this.#addReasoning(reasoning);
    if (holdsTooManyFacts(delta.reasoning_details)) {
      this.#writer.fault(garbled(TOO_LONG_NAMES));
      return;
    }
    for (const raw of readObjects(delta.reasoning_details)) this.#addDetail(raw, text ?? reasoning);
    if (!Array.isArray(delta.thinking_blocks)) return;
    for (const raw of delta.thinking_blocks) if (isObject(raw)) this.#addThinkingBlock(raw);
  }

  /** A signature belongs to the reasoning just sent; without any, the block stands by itself. */
  #addThinkingBlock(raw: JsonObject): void {
    const block = readThinkingBlock(raw, HOME);
    if (!block || (!block.signature && !block.redacted)) return;
    this.#addProof(this.#wasSent(block.text) ? { ...block, text: '' } : block);
  }

  /** Whether a thought was sent before; where too much would have to be searched, that it was. */
  #wasSent(text: string): boolean {
    this.#searched += this.#reasoningText.length;
    return this.#searched > MOST_SEARCHED || this.#reasoningText.includes(text);
  }

  #addProof(block: ReasoningBlock): void {
    if (block.signature && this.#writer.openKind(this.#choice) === 'reasoning') {
      this.#writer.delta(this.#choice, { type: 'signature', signature: block.signature });
    } else {
      this.#calls.flush();
      this.#writer.open(this.#choice, block);
    }
    this.#writer.close(this.#choice);
  }

  /** A detail repeats the text that was sent beside it, and ends in what proves the thought. */
  #addDetail(raw: JsonObject, value: unknown): void {
    const block = readDetail(raw);
    if (!block) return;
    if (typeof value !== 'string' || value === '') this.#addReasoning(block.text);
    if (block.redacted) this.#addProof(block);
    else if (block.signature) this.#addProof({ ...block, text: '' });
  }

  #addReasoning(text: string): void {
    if (text === '') return;
    this.#reasoningText += text;
    if (this.#writer.openKind(this.#choice) !== 'reasoning') {
      this.#calls.flush();
      this.#writer.open(this.#choice, { type: 'reasoning', text: '' });
    }
    this.#writer.delta(this.#choice, { type: 'reasoning', text });
  }

  #addText(text: string): void {
    if (this.#writer.openKind(this.#choice) !== 'text') {
      this.#calls.flush();
      this.#writer.open(this.#choice, { type: 'text', text: '' });
      this.#textStart += this.#length.points;
      this.#length = new CodePointCounter();
    }
    this.#writer.delta(this.#choice, { type: 'text', text });
    if (isCitable(this.#writer.characters)) this.#length.add(text);
  }

  #readAttachments(delta: JsonObject): void {
    const cites = this.#writer.openKind(this.#choice) === 'text' && isCitable(this.#writer.characters);
    if (cites && Array.isArray(delta.annotations)) {
      for (const annotation of delta.annotations) {
        const citation = decodeAnnotation(annotation, this.#textStart);
        if (citation) this.#writer.delta(this.#choice, { type: 'citation', citation });
      }
    }
    if (!Array.isArray(delta.images)) return;
    for (const image of delta.images) {
      const media = decodeImage(image);
      if (!media) continue;
      this.#calls.flush();
      this.#writer.open(this.#choice, media);
      this.#writer.close(this.#choice);
    }
  }

  #readCalls(delta: JsonObject): void {
    if (Array.isArray(delta.tool_calls)) {
      for (const entry of delta.tool_calls) if (isObject(entry)) this.#calls.add(entry);
    }
    if (isObject(delta.function_call)) this.#calls.add({ index: 0, function: delta.function_call });
  }
}
