import type { Block } from './blocks.js';
import type { SourceFormat } from './codec.js';
import type { CanonicalEvent } from './events.js';
import { nameField } from './name-field.js';
import { refuseField } from './refuse.js';
import type { ModelTraits } from './model-traits.js';
import type { CanonicalChoice, CanonicalReply } from './reply.js';
import type { CanonicalRequest } from './request.js';

/** Stop strings that the gateway looks for, and their characters: no provider takes more than a few short ones. */
const MOST_STOPS = 64;
const MOST_CHARACTERS = 256;

/**
 * The stop strings that an upstream does not take, so that the gateway has to cut the answer at them.
 *
 * @throws GatewayError `invalid_request` for more than can be looked for while an answer comes.
 */
export function findUnsupportedStops(
  request: CanonicalRequest,
  upstream: { supportsStop?(traits: ModelTraits): boolean },
  traits: ModelTraits,
  client?: Pick<SourceFormat, 'fieldNames'>,
): readonly string[] {
  if (upstream.supportsStop?.(traits) ?? true) return [];
  const stops = request.stop.filter((stop) => stop !== '');
  if (stops.length > MOST_STOPS || stops.some(({ length }) => length > MOST_CHARACTERS)) {
    const rule = `must hold at most ${MOST_STOPS} strings of ${MOST_CHARACTERS} characters for this model`;
    return refuseField(nameField('stop', client), rule);
  }
  return stops;
}

/** Where the first stop string stands in a text. */
function findStop(text: string, stops: readonly string[]): { at: number; stop: string } | undefined {
  let first: { at: number; stop: string } | undefined;
  for (const stop of stops) {
    const at = text.indexOf(stop);
    if (at >= 0 && (!first || at < first.at)) first = { at, stop };
  }
  return first;
}

/** Cuts each answer of a whole reply before the first stop string; reasoning and arguments are looked over. */
export function cutReply(reply: CanonicalReply, stops: readonly string[]): CanonicalReply {
  if (stops.length === 0) return reply;
  return { ...reply, choices: reply.choices.map((choice) => cutChoice(choice, stops)) };
}

function cutChoice(choice: CanonicalChoice, stops: readonly string[]): CanonicalChoice {
  const kept: Block[] = [];
  for (const block of choice.blocks) {
    const found = block.type === 'text' ? findStop(block.text, stops) : undefined;
    if (!found || block.type !== 'text') {
      kept.push(block);
      continue;
    }
    if (found.at > 0) kept.push({ type: 'text', text: block.text.slice(0, found.at) });
    return { ...choice, blocks: kept, stop: 'stop-sequence', stopSequence: found.stop };
  }
  return choice;
}

interface ChoiceState {
  /** Text that may turn out to begin a stop string. */
  held: string;
  inText: boolean;
  index: number;
  /** The stop string that was met; nothing of the choice is forwarded after it but its end. */
  met: string | undefined;
}

/**
 * Cuts a stream of canonical events before the first stop string of each choice. As much text is held back as may begin
 * one. The upstream goes on to its own end, since its usage comes there: what it produced is billed.
 */
export class StopCutter {
  readonly #stops: readonly string[];
  readonly #longest: number;
  readonly #choices = new Map<number, ChoiceState>();

  constructor(stops: readonly string[]) {
    this.#stops = stops;
    this.#longest = Math.max(0, ...stops.map((stop) => stop.length));
  }

  cut(event: CanonicalEvent): readonly CanonicalEvent[] {
    if (this.#stops.length === 0 || !('choice' in event)) return [event];
    const state = this.#stateOf(event.choice);
    if (state.met !== undefined) {
      if (event.type !== 'choice-end') return [];
      return [{ ...event, stop: 'stop-sequence', stopSequence: state.met }];
    }
    switch (event.type) {
      case 'block-start':
        return this.#start(event, state);
      case 'block-delta':
        if (!state.inText || event.delta.type !== 'text') return [event];
        return this.#addText(event.choice, event.delta.text, state);
      case 'block-end':
        return [...this.#release(event.choice, state), event];
      default:
        return [event];
    }
  }

  #start(event: Extract<CanonicalEvent, { type: 'block-start' }>, state: ChoiceState): CanonicalEvent[] {
    state.inText = event.block.type === 'text';
    state.index = event.index;
    if (event.block.type !== 'text' || event.block.text === '') return [event];
    const opening: CanonicalEvent = { ...event, block: { ...event.block, text: '' } };
    return [opening, ...this.#addText(event.choice, event.block.text, state)];
  }

  #addText(choice: number, text: string, state: ChoiceState): CanonicalEvent[] {
    const all = state.held + text;
    const found = findStop(all, this.#stops);
    if (found) {
      state.held = all.slice(0, found.at);
      const released = this.#release(choice, state);
      state.met = found.stop;
      return [...released, { type: 'block-end', choice, index: state.index }];
    }
    const held = this.#countHeld(all);
    state.held = all.slice(0, all.length - held);
    const released = this.#release(choice, state);
    state.held = held === 0 ? '' : all.slice(-held);
    return released;
  }

  /** Characters at the end of a text that a stop string may begin with. */
  #countHeld(text: string): number {
    for (let length = Math.min(this.#longest - 1, text.length); length > 0; length--) {
      const end = text.slice(-length);
      if (this.#stops.some((stop) => stop.length > length && stop.startsWith(end))) return length;
    }
    return 0;
  }

  #release(choice: number, state: ChoiceState): CanonicalEvent[] {
    const { held: text, index } = state;
    state.held = '';
    return text === '' ? [] : [{ type: 'block-delta', choice, index, delta: { type: 'text', text } }];
  }

  #stateOf(choice: number): ChoiceState {
    let state = this.#choices.get(choice);
    if (!state) {
      state = { held: '', inText: false, index: 0, met: undefined };
      this.#choices.set(choice, state);
    }
    return state;
  }
}
