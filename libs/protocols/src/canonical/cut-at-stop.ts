import type { Block } from './blocks.js';
import type { SourceFormat } from './codec.js';
import type { CanonicalEvent } from './events.js';
import { nameField } from './name-field.js';
import { refuseField } from './refuse.js';
import type { ModelTraits } from './model-traits.js';
import type { CanonicalChoice, CanonicalReply } from './reply.js';
import type { CanonicalRequest } from './request.js';
import { type FoundStop, StopFinder, StopStrings } from './stop-finder.js';

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

/** Characters of texts that are searched in one step, in about a millisecond. */
const STEP_CHARACTERS = 64 * 1024;

/**
 * Cuts each answer of a whole reply before the first stop string; reasoning and arguments are looked over.
 *
 * @param pause is waited for between two steps.
 */
export async function cutReply(
  reply: CanonicalReply,
  stops: readonly string[],
  pause: () => Promise<void>,
): Promise<CanonicalReply> {
  if (stops.length === 0) return reply;
  const cutter = new ReplyCutter(new StopStrings(stops), pause);
  const choices: CanonicalChoice[] = [];
  for (const choice of reply.choices) choices.push(await cutter.cut(choice));
  return { ...reply, choices };
}

class ReplyCutter {
  #searched = 0;

  constructor(
    private readonly stops: StopStrings,
    private readonly pause: () => Promise<void>,
  ) {}

  async cut(choice: CanonicalChoice): Promise<CanonicalChoice> {
    for (const [index, block] of choice.blocks.entries()) {
      const found = block.type === 'text' ? await this.#find(block.text) : undefined;
      if (!found || block.type !== 'text') continue;
      const text = block.text.slice(0, found.end - found.stop.length);
      const kept: readonly Block[] = text === '' ? [] : [{ type: 'text', text }];
      return {
        ...choice,
        blocks: [...choice.blocks.slice(0, index), ...kept],
        stop: 'stop-sequence',
        stopSequence: found.stop,
      };
    }
    return choice;
  }

  async #find(text: string): Promise<FoundStop | undefined> {
    const finder = new StopFinder(this.stops);
    for (let at = 0; at < text.length; at += STEP_CHARACTERS) {
      const piece = text.slice(at, at + STEP_CHARACTERS);
      const found = finder.read(piece);
      if (found) return { ...found, end: at + found.end };
      this.#searched += piece.length;
      if (this.#searched < STEP_CHARACTERS) continue;
      this.#searched = 0;
      await this.pause();
    }
    return undefined;
  }
}

interface ChoiceState {
  readonly finder: StopFinder;
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
  readonly #stops: StopStrings | undefined;
  readonly #choices = new Map<number, ChoiceState>();

  constructor(stops: readonly string[]) {
    this.#stops = stops.length === 0 ? undefined : new StopStrings(stops);
  }

  cut(event: CanonicalEvent): readonly CanonicalEvent[] {
    if (!this.#stops || !('choice' in event)) return [event];
    const state = this.#stateOf(event.choice, this.#stops);
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
        state.finder.restart();
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
    const found = state.finder.read(text);
    const all = state.held + text;
    if (found) {
      state.held = all.slice(0, state.held.length + found.end - found.stop.length);
      const released = this.#release(choice, state);
      state.met = found.stop;
      return [...released, { type: 'block-end', choice, index: state.index }];
    }
    const { pending } = state.finder;
    state.held = all.slice(0, all.length - pending);
    const released = this.#release(choice, state);
    state.held = pending === 0 ? '' : all.slice(-pending);
    return released;
  }

  #release(choice: number, state: ChoiceState): CanonicalEvent[] {
    const { held: text, index } = state;
    state.held = '';
    return text === '' ? [] : [{ type: 'block-delta', choice, index, delta: { type: 'text', text } }];
  }

  #stateOf(choice: number, stops: StopStrings): ChoiceState {
    let state = this.#choices.get(choice);
    if (!state) {
      state = { finder: new StopFinder(stops), held: '', inText: false, index: 0, met: undefined };
      this.#choices.set(choice, state);
    }
    return state;
  }
}
