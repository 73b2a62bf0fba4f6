import { mergeUsage, type Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';
import type { Block } from './blocks.js';
import type { BlockDelta, CanonicalEvent, Fault } from './events.js';
import { AnswerBounds, endsBriefly, readReplyIdText, TOO_LONG_NAMES } from './limit-answer.js';
import type { StopReason } from './reply.js';
import { garbled } from './stream-faults.js';

/** Of what an upstream says of its failure: it is searched and written in one step. */
const LONGEST_MESSAGE = 4_096;

interface ChoiceState {
  next: number;
  open: Block['type'] | undefined;
}

/** Why a choice of a stream ended. */
export interface ChoiceEnd {
  readonly stop: StopReason;
  readonly stopSequence: string | undefined;
  readonly refusal: string | undefined;
}

/** Collects canonical events in their right order: starts once, counts blocks, closes one before the next opens. */
export class EventWriter {
  #events: CanonicalEvent[] = [];
  readonly #choices = new Map<number, ChoiceState>();
  #usage: Usage | undefined;
  #started = false;
  #ended = false;
  #characters = 0;
  readonly #bounds = new AnswerBounds();

  /** Of all texts so far. */
  get characters(): number {
    return this.#characters;
  }

  get started(): boolean {
    return this.#started;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The events since the last call. */
  take(): CanonicalEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  start(id: string, model: string, created: number): void {
    if (this.#started) return;
    this.#started = true;
    this.#push({ type: 'reply-start', id: readReplyIdText(id), model, created });
  }

  /** Kind of the block that is open, if any. */
  openKind(choice: number): Block['type'] | undefined {
    return this.#choices.get(choice)?.open;
  }

  open(choice: number, block: Block): void {
    this.close(choice);
    const kept = this.#bounds.takeBlock(block);
    if (!kept) {
      this.fault(garbled(TOO_LONG_NAMES));
      return;
    }
    const state = this.#stateOf(choice);
    if (block.type === 'text') this.#characters += block.text.length;
    this.#push({ type: 'block-start', choice, index: state.next, block: kept });
    state.next++;
    state.open = block.type;
  }

  delta(choice: number, delta: BlockDelta): void {
    const index = this.#stateOf(choice).next - 1;
    if (delta.type === 'text') this.#characters += delta.text.length;
    else if (delta.type === 'citation' && !this.#bounds.takesCitation(delta.citation)) return;
    else if (delta.type === 'signature' && !this.#bounds.takesProof(delta.signature)) {
      this.fault(garbled(TOO_LONG_NAMES));
      return;
    }
    this.#push({ type: 'block-delta', choice, index, delta });
  }

  close(choice: number): void {
    const state = this.#stateOf(choice);
    if (state.open === undefined) return;
    this.#push({ type: 'block-end', choice, index: state.next - 1 });
    state.open = undefined;
  }

  logprobs(choice: number, logprobs: JsonObject): void {
    this.#push({ type: 'logprobs', choice, logprobs });
  }

  /** Reports are cumulative: the larger figures count. */
  usage(report: Usage | undefined): void {
    if (!report) return;
    this.#usage = this.#usage ? mergeUsage(this.#usage, report) : report;
    this.#push({ type: 'usage', usage: this.#usage });
  }

  endChoice(choice: number, end: ChoiceEnd): void {
    this.close(choice);
    if (!endsBriefly(end)) {
      this.fault(garbled(TOO_LONG_NAMES));
      return;
    }
    this.#push({ type: 'choice-end', choice, ...end });
  }

  end(): void {
    this.#push({ type: 'reply-end' });
    this.#ended = true;
  }

  fault(fault: Fault): void {
    if (this.#ended) return;
    const { message, type, code } = fault;
    this.#push({
      type: 'fault',
      fault: {
        message: message.slice(0, LONGEST_MESSAGE),
        type: type?.slice(0, LONGEST_MESSAGE),
        code: code?.slice(0, LONGEST_MESSAGE),
      },
    });
    this.#ended = true;
  }

  /** After the end there is nothing to say, whatever else the upstream sends. */
  #push(event: CanonicalEvent): void {
    if (!this.#ended) this.#events.push(event);
  }

  #stateOf(choice: number): ChoiceState {
    let state = this.#choices.get(choice);
    if (!state) {
      state = { next: 0, open: undefined };
      this.#choices.set(choice, state);
    }
    return state;
  }
}
