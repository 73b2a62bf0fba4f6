import type { Block, ToolCallBlock } from '../canonical/blocks.js';
import type { EventWriter } from '../canonical/event-writer.js';
import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { Steps } from '../canonical/steps.js';
import { garbled } from '../canonical/stream-faults.js';
import { isObject, type JsonObject } from '../json.js';
import { ChoiceStream } from './choice-stream.js';
import { readByteCitations } from './citations.js';
import { decodePart } from './decode-parts.js';
import { isAnswer, isDraft, readFailedGeneration } from './decode-response.js';
import { readGeminiLogprobs } from './logprobs.js';
import { readGeminiStop } from './map-stop-reason.js';
import { PartialArgs } from './partial-args.js';

/** One candidate of a stream: its parts, chunk by chunk, and how it ended. */
export class CandidateStream {
  readonly #choice: number;
  readonly #writer: EventWriter;
  readonly #nextCallId: () => string;
  readonly #blocks: ChoiceStream;
  #partialCall: { readonly call: ToolCallBlock; readonly args: PartialArgs } | undefined;
  #hasCall = false;
  #hasAnswer = false;
  #finishReason: string | undefined;
  #finishMessage: string | undefined;

  constructor(choice: number, writer: EventWriter, nextCallId: () => string) {
    this.#choice = choice;
    this.#writer = writer;
    this.#nextCallId = nextCallId;
    this.#blocks = new ChoiceStream(choice, writer);
  }

  get finished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** Takes a chunk's candidate; answers with a message when the upstream failed. */
  *read(candidate: JsonObject): Steps<string | undefined> {
    const glitch = readFailedGeneration(candidate);
    if (glitch !== undefined) return glitch;
    for (const part of readObjects(readObject(candidate.content)?.parts)) {
      if (!isDraft(part)) this.#readPart(part);
    }
    yield* this.#blocks.cite(readByteCitations(candidate));
    const logprobs = readGeminiLogprobs(candidate.logprobsResult);
    if (logprobs) this.#writer.logprobs(this.#choice, logprobs);
    const reason = readText(candidate.finishReason);
    if (reason !== undefined && reason !== 'FINISH_REASON_UNSPECIFIED') this.#finishReason = reason;
    this.#finishMessage = readText(candidate.finishMessage) ?? this.#finishMessage;
    return undefined;
  }

  end(): void {
    this.#endPartialCall();
    this.#blocks.close();
    const stop = readGeminiStop(this.#finishReason ?? 'STOP', this.#hasCall);
    const refusal = stop === 'filtered' ? this.#finishMessage : undefined;
    this.#writer.endChoice(this.#choice, { stop, stopSequence: undefined, refusal });
  }

  #readPart(part: JsonObject): void {
    const { functionCall } = part;
    if (isObject(functionCall) && this.#readPartialCall(part, functionCall)) return;
    for (const block of decodePart(part, this.#nextCallId) ?? []) this.#add(block);
  }

  #add(block: Block): void {
    if (isAnswer(block)) {
      if (!this.#hasAnswer) this.#blocks.add({ type: 'text', text: block.arguments });
      this.#hasAnswer = true;
      return;
    }
    if (block.type === 'tool-call') this.#hasCall = true;
    this.#blocks.add(block);
  }

  /** Vertex streams arguments in pieces: a call that will continue, pieces without a name, an empty one at the end. */
  #readPartialCall(part: JsonObject, functionCall: JsonObject): boolean {
    const named = readText(functionCall.name);
    if (named !== undefined && named !== '') this.#endPartialCall();
    if (named !== undefined && functionCall.willContinue === true) {
      const [call] = decodePart(part, this.#nextCallId) ?? [];
      if (call?.type !== 'tool-call') return false;
      this.#partialCall = { call, args: new PartialArgs() };
    }
    if (!this.#partialCall) return false;
    const { args } = this.#partialCall;
    args.add(functionCall.partialArgs);
    if (args.isTooLong)
      this.#writer.fault(garbled('the arguments of a call are longer than any model writes'));
    if (functionCall.willContinue !== true) this.#endPartialCall();
    return true;
  }

  #endPartialCall(): void {
    if (!this.#partialCall) return;
    const { call, args } = this.#partialCall;
    this.#partialCall = undefined;
    this.#add({ ...call, arguments: args.toJson() });
  }
}
