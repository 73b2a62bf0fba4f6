import { EventStreamDecoder, type Pause } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import { readObjects, readText } from '../canonical/read-fields.js';
import { isTooDeep } from '../canonical/refuse.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { runAtOnce, type Steps } from '../canonical/steps.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { isObject, type JsonObject, parseJson } from '../json.js';
import { CandidateStream } from './candidate-stream.js';
import { countGeminiItems } from './count-items.js';
import {
  createCallIds,
  decodeGeminiReply,
  readBlockedPrompt,
  readCreated,
  readIndex,
  readReplyId,
} from './decode-response.js';
import { readFaultObject } from './errors.js';
import { listGeminiAnswerInputs } from './list-inputs.js';
import { geminiLogprobs } from './logprobs.js';
import { readGeminiAnswerUsage } from './read-usage.js';

/** Turns the bytes of `streamGenerateContent?alt=sse` into canonical events. The connection's end is the stream's. */
export class GeminiStreamDecoder extends EventStreamDecoder {
  readonly #candidates = new Map<number, CandidateStream>();
  #nextCallId: (() => string) | undefined;
  #usage = '';
  #blocked: string | undefined;

  /** Errors come wrapped in an array now and then. */
  protected override readMark(data: string): boolean {
    if (!data.startsWith('[')) return false;
    for (const chunk of parseList(data)) {
      if (!isObject(chunk) || isTooDeep(chunk)) this.writer.fault(garbled('an event holds no JSON object'));
      else if (!this.writer.ended) this.readEvent(chunk);
    }
    return true;
  }

  protected override readEvent(chunk: JsonObject): void {
    runAtOnce(this.readInSteps(chunk));
  }

  /** Its last event may hold thousands of citations. */
  protected override *readInSteps(chunk: JsonObject): Steps<void> {
    const fault = isObject(chunk.error) ? readFaultObject(chunk) : undefined;
    if (fault) {
      this.writer.fault(fault);
      return;
    }
    this.#start(chunk);
    for (const candidate of readObjects(chunk.candidates)) {
      const glitch = yield* this.#openCandidate(readIndex(candidate)).read(candidate);
      if (glitch === undefined) continue;
      this.writer.fault({ message: glitch, type: 'api_error', code: 'upstream_error' });
      return;
    }
    this.#blocked ??= readBlockedPrompt(chunk)?.refusal;
    this.#readUsage(chunk);
  }

  protected override conclude(): void {
    const candidates = [...this.#candidates.values()];
    const isBlocked = this.#blocked !== undefined && candidates.length === 0;
    if (!isBlocked && (candidates.length === 0 || candidates.some((candidate) => !candidate.finished))) {
      this.writer.fault(TRUNCATED);
      return;
    }
    for (const candidate of candidates) candidate.end();
    if (isBlocked) {
      this.writer.endChoice(0, { stop: 'filtered', stopSequence: undefined, refusal: this.#blocked });
    }
    this.writer.end();
  }

  protected override decodeReply(body: JsonObject): CanonicalReply {
    return decodeGeminiReply(body);
  }

  protected override readFaultObject(body: JsonObject): Fault | undefined {
    return readFaultObject(body);
  }

  protected override countItems(chunk: JsonObject): number {
    return countGeminiItems(chunk);
  }

  protected override listInputs(chunk: JsonObject): readonly object[] {
    return listGeminiAnswerInputs(chunk);
  }

  protected override async noteLogprobs(chunk: JsonObject, pause: Pause): Promise<void> {
    await geminiLogprobs.reading.note(geminiLogprobs.list(chunk), pause);
  }

  #start(chunk: JsonObject): void {
    if (this.#nextCallId) return;
    const id = readReplyId(chunk);
    this.#nextCallId = createCallIds(id);
    this.writer.start(id, readText(chunk.modelVersion) ?? '', readCreated(chunk));
  }

  #openCandidate(index: number): CandidateStream {
    const known = this.#candidates.get(index);
    if (known) return known;
    const opened = new CandidateStream(index, this.writer, () => this.#nextCallId?.() ?? '');
    this.#candidates.set(index, opened);
    return opened;
  }

  /** Figures are cumulative and stand on most chunks: they are worth an event when they change. */
  #readUsage(chunk: JsonObject): void {
    const usage = readGeminiAnswerUsage(chunk);
    const key = JSON.stringify(usage);
    if (!usage || key === this.#usage) return;
    this.#usage = key;
    this.writer.usage(usage);
  }
}

function parseList(data: string): unknown[] {
  try {
    const value = parseJson(data);
    return Array.isArray(value) ? value : [undefined];
  } catch {
    return [undefined];
  }
}
