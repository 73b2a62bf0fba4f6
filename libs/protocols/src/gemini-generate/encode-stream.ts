import { omitUndefined, type Usage } from '@mg/contract';
import type { Block, Citation, ReasoningBlock, Signature, ToolCallBlock } from '../canonical/blocks.js';
import type { LateWriter, ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { CanonicalEvent } from '../canonical/events.js';
import { readCallInSlices } from '../canonical/arguments-in-slices.js';
import { isCitable } from '../canonical/limit-items.js';
import { isCallWhole, STEP_CHARACTERS } from '../canonical/json-text.js';
import { countCited, isLongBlock, LateFrames } from '../canonical/late-frames.js';
import { runInSlices } from '../canonical/steps.js';
import type { JsonObject } from '../json.js';
import { type CitedText, writeGrounding, writeGroundingInSteps } from './citations.js';
import { encodeRefusal, encodeReplyBlock } from './encode-response.js';
import { writeFault } from './errors.js';
import { writeGeminiLogprobs } from './logprobs.js';
import { writeGeminiStop } from './map-stop-reason.js';
import { writeGeminiUsage } from './read-usage.js';

type EventOf<T extends CanonicalEvent['type']> = Extract<CanonicalEvent, { type: T }>;

/** A citation takes as long to write as so many characters, however short its address is. */
const CITATION_CHARACTERS = 256;

/** What is known of one choice until its last chunk. */
interface ChoiceState {
  /** The block that is open, with all that has come of it; calls and signatures leave only when it ends. */
  open: Block | undefined;
  openText: string;
  openArguments: string;
  signature: Signature | undefined;
  citations: Citation[];
  /** Cited texts that ended, and the bytes of all text before the open one. */
  cited: CitedText[];
  bytesBefore: number;
  finish: JsonObject | undefined;
  brokenCall: boolean;
}

/** Writes canonical events as the chunks of `streamGenerateContent`: events, or a JSON array for those who ask for it. */
export class GeminiStreamEncoder implements StreamEncoder {
  /** Calls are given whole, with their arguments as an object, and so are files and parts of Google's own; citations come last. */
  readonly late: LateWriter = {
    isLong: (event) =>
      event.type === 'block-end'
        ? this.#hasLongBlock(event.choice)
        : (event.type === 'choice-end' || event.type === 'reply-end') && this.#cited > STEP_CHARACTERS,
    encode: (event, pause) => this.#encodeLong(event, pause),
  };
  readonly #lateFrames = new LateFrames();
  readonly #context: ReplyContext;
  readonly #choices = new Map<number, ChoiceState>();
  /** Characters of what is cited, which stands in the last chunk. */
  #cited = 0;
  #id = '';
  #usage: Usage | undefined;
  #chunks = 0;

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  encode(event: CanonicalEvent): string {
    switch (event.type) {
      case 'reply-start':
        this.#id = event.id;
        return '';
      case 'block-start':
        return this.#startBlock(event);
      case 'block-delta':
        return this.#addDelta(event);
      case 'block-end':
        return this.#endBlock(event.choice);
      case 'logprobs':
        return this.#write(event.choice, { logprobsResult: writeGeminiLogprobs(event.logprobs) });
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'choice-end':
        this.#endChoice(event, writeGrounding(this.#state(event.choice).cited));
        return '';
      case 'reply-end':
        return this.#endReply();
      case 'fault':
        return this.#frame(writeFault(event.fault)) + this.#close();
      default:
        return '';
    }
  }

  async #encodeLong(event: CanonicalEvent, pause: () => Promise<void>): Promise<readonly Buffer[]> {
    if (event.type === 'block-end') return this.#endLongBlock(event.choice, pause);
    if (event.type !== 'choice-end') return this.#lateFrames.writeInSlices(() => this.encode(event), pause);
    await pause();
    const { cited } = this.#state(event.choice);
    this.#endChoice(event, await runInSlices(writeGroundingInSteps(cited), pause));
    return [];
  }

  #startBlock({ choice, block }: EventOf<'block-start'>): string {
    const state = this.#state(choice);
    state.open = block;
    state.openText = '';
    state.openArguments = block.type === 'tool-call' ? block.arguments : '';
    state.signature = block.type === 'reasoning' || block.type === 'tool-call' ? block.signature : undefined;
    state.citations = block.type === 'text' ? [...(block.citations ?? [])] : [];
    if (block.type === 'text') return this.#writeText(choice, state, block.text);
    return block.type === 'reasoning' ? this.#writeThought(choice, block.text) : '';
  }

  #addDelta({ choice, delta }: EventOf<'block-delta'>): string {
    const state = this.#state(choice);
    switch (delta.type) {
      case 'text':
        return this.#writeText(choice, state, delta.text);
      case 'reasoning':
        return this.#writeThought(choice, delta.text);
      case 'arguments':
        state.openArguments += delta.json;
        return '';
      case 'signature':
        state.signature = delta.signature;
        return '';
      case 'citation':
        state.citations.push(delta.citation);
        this.#cited += CITATION_CHARACTERS + countCited(delta.citation);
        return '';
      default:
        return '';
    }
  }

  #writeText(choice: number, state: ChoiceState, text: string): string {
    state.openText += text;
    return text === '' ? '' : this.#writePart(choice, { text });
  }

  #writeThought(choice: number, text: string): string {
    const isShown = text !== '' && (this.#context.showReasoning ?? true);
    return isShown ? this.#writePart(choice, { text, thought: true }) : '';
  }

  /** What may only be given whole, or last: calls, signatures, media, Google's own parts. */
  #endBlock(choice: number): string {
    const state = this.#state(choice);
    const { open } = state;
    state.open = undefined;
    if (!open) return '';
    if (open.type === 'text') return this.#endText(state);
    if (open.type === 'tool-call') return this.#endCall(choice, state, open);
    const whole = open.type === 'reasoning' ? withoutText(open, state.signature) : open;
    const part = whole && encodeReplyBlock(whole, this.#context.showReasoning ?? true);
    return part ? this.#writePart(choice, part) : '';
  }

  #endText(state: ChoiceState): string {
    const { openText: text, citations, bytesBefore: from } = state;
    if (citations.length > 0) state.cited.push({ text, citations, from, part: undefined });
    // Behind a longer text nothing is cited.
    if (isCitable(text.length)) state.bytesBefore += Buffer.byteLength(text);
    return '';
  }

  #endCall(choice: number, state: ChoiceState, call: ToolCallBlock): string {
    const part = encodeWholeCall(state, call);
    return part ? this.#writePart(choice, part) : '';
  }

  #hasLongBlock(choice: number): boolean {
    const { open, openArguments } = this.#state(choice);
    if (!open) return false;
    return open.type === 'tool-call' ? openArguments.length > STEP_CHARACTERS : isLongBlock(open);
  }

  /** Ends a block in steps, and a call with its arguments parsed in steps. */
  async #endLongBlock(choice: number, pause: () => Promise<void>): Promise<readonly Buffer[]> {
    const state = this.#state(choice);
    const { open, openArguments } = state;
    if (open?.type === 'tool-call') {
      state.open = { ...open, ...(await readCallInSlices(openArguments, pause, { takesObjects: true })) };
      await pause();
    }
    return this.#lateFrames.writeInSlices(() => this.#endBlock(choice), pause);
  }

  #endChoice(event: EventOf<'choice-end'>, groundingMetadata: JsonObject | undefined): void {
    const { choice, stop, refusal } = event;
    const state = this.#state(choice);
    const words = encodeRefusal(event);
    const isBroken = state.brokenCall && stop !== 'length' && stop !== 'filtered';
    state.finish = omitUndefined({
      content: { parts: words ? [words] : [], role: 'model' },
      finishReason: isBroken ? 'MALFORMED_FUNCTION_CALL' : writeGeminiStop(stop),
      finishMessage: stop === 'filtered' ? refusal : undefined,
      index: choice,
      groundingMetadata,
    });
  }

  /** Finish reasons and usage come once, in the last chunk. */
  #endReply(): string {
    const candidates = [...this.#choices.values()].flatMap(({ finish }) => (finish ? [finish] : []));
    const usageMetadata = this.#usage && writeGeminiUsage(this.#usage);
    return this.#frame(this.#wrap({ candidates, usageMetadata })) + this.#close();
  }

  #state(choice: number): ChoiceState {
    const known = this.#choices.get(choice);
    if (known) return known;
    const created: ChoiceState = {
      open: undefined,
      openText: '',
      openArguments: '',
      signature: undefined,
      citations: [],
      cited: [],
      bytesBefore: 0,
      finish: undefined,
      brokenCall: false,
    };
    this.#choices.set(choice, created);
    return created;
  }

  #writePart(choice: number, part: JsonObject): string {
    return this.#frame(this.#wrapPart(choice, part));
  }

  #write(index: number, candidate: JsonObject): string {
    return this.#frame(this.#wrap({ candidates: [{ ...candidate, index }] }));
  }

  #wrapPart(index: number, part: JsonObject): JsonObject {
    return this.#wrap({ candidates: [{ content: { parts: [part], role: 'model' }, index }] });
  }

  #wrap(chunk: JsonObject): JsonObject {
    const { model } = this.#context;
    return { ...chunk, modelVersion: model, responseId: this.#id === '' ? undefined : this.#id };
  }

  #frame(chunk: JsonObject): string {
    const { before, after } = this.#frameEnds();
    return this.#lateFrames.write(before, chunk, after);
  }

  /** What stands around the next chunk. */
  #frameEnds(): { readonly before: string; readonly after: string } {
    if (this.#context.framing !== 'json-array') return { before: 'data: ', after: '\r\n\r\n' };
    return { before: this.#chunks++ === 0 ? '[' : ',\r\n', after: '' };
  }

  #close(): string {
    return this.#context.framing === 'json-array' ? ']' : '';
  }
}

/** A call with all of its arguments; `undefined` for one that broke off. */
function encodeWholeCall(state: ChoiceState, call: ToolCallBlock): JsonObject | undefined {
  const { openArguments, signature } = state;
  const whole = { ...call, arguments: openArguments, ...omitUndefined({ signature }) };
  if (isCallWhole(whole)) return encodeReplyBlock(whole, true);
  state.brokenCall = true;
  return undefined;
}

/** The signature of thoughts whose text was sent already. */
function withoutText(block: ReasoningBlock, signature: Signature | undefined): ReasoningBlock | undefined {
  if (block.redacted) return { ...block, text: '' };
  return signature && { type: 'reasoning', text: '', signature };
}
