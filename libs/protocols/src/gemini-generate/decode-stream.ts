import type { Usage } from '@mg/contract';
import type { StreamDecoder } from '../canonical/codec.js';
import type { CanonicalEvent, Fault } from '../canonical/events.js';
import { isTooDeep } from '../canonical/refuse.js';
import { type DecodedEvent, EventReader } from '../framing/decode-events.js';
import { EventTooLargeError } from '../framing/event-splitter.js';
import { readObjects, readText } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';
import { CandidateStream } from './candidate-stream.js';
import { createCallIds, readBlockedPrompt, readCreated, readIndex, readReplyId } from './decode-response.js';
import { readGeminiFault } from './errors.js';
import { readGeminiUsage } from './read-usage.js';

/** Turns the bytes of `streamGenerateContent?alt=sse` into canonical events. The connection's end is the stream's. */
export class GeminiStreamDecoder implements StreamDecoder {
  readonly #reader = new EventReader();
  readonly #candidates = new Map<number, CandidateStream>();
  readonly #emit = (event: CanonicalEvent): void => void this.#events.push(event);
  #events: CanonicalEvent[] = [];
  #nextCallId: (() => string) | undefined;
  #usage: Usage | undefined;
  #blocked: string | undefined;
  #ended = false;

  push(chunk: Buffer): CanonicalEvent[] {
    this.#guard(() => this.#reader.push(chunk));
    return this.#take();
  }

  end(): CanonicalEvent[] {
    this.#guard(() => this.#reader.end());
    if (!this.#ended) this.#finish();
    return this.#take();
  }

  #guard(read: () => DecodedEvent[]): void {
    if (this.#ended) return;
    try {
      for (const { data } of read()) this.#readData(data);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.#fail({ message: error.message, type: undefined, code: undefined });
    }
  }

  #take(): CanonicalEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #readData(data: string): void {
    if (this.#ended || data === '[DONE]') return;
    const fault = data.includes('"error"') ? readGeminiFault(data) : undefined;
    if (fault) {
      this.#fail(fault);
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      this.#blame('The upstream sent an event that is not JSON.');
      return;
    }
    if (isTooDeep(value)) this.#blame('The upstream sent an event that is nested too deeply.');
    for (const chunk of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isObject(chunk) && !this.#ended) this.#readChunk(chunk);
    }
  }

  #readChunk(chunk: JsonObject): void {
    this.#start(chunk);
    for (const candidate of readObjects(chunk.candidates)) {
      const glitch = this.#openCandidate(readIndex(candidate)).read(candidate);
      if (glitch !== undefined) {
        this.#blame(glitch);
        return;
      }
    }
    this.#blocked ??= readBlockedPrompt(chunk)?.refusal;
    this.#readUsage(chunk.usageMetadata);
  }

  #start(chunk: JsonObject): void {
    if (this.#nextCallId) return;
    const id = readReplyId(chunk);
    this.#nextCallId = createCallIds(id);
    const model = readText(chunk.modelVersion) ?? '';
    this.#emit({ type: 'reply-start', id, model, created: readCreated(chunk) });
  }

  #openCandidate(index: number): CandidateStream {
    const known = this.#candidates.get(index);
    if (known) return known;
    const opened = new CandidateStream(index, this.#emit, () => this.#nextCallId?.() ?? '');
    this.#candidates.set(index, opened);
    return opened;
  }

  /** Figures are cumulative and the last ones count; an event without them changes nothing. */
  #readUsage(value: unknown): void {
    const usage = readGeminiUsage(value);
    if (!usage || JSON.stringify(usage) === JSON.stringify(this.#usage)) return;
    this.#usage = usage;
    this.#emit({ type: 'usage', usage });
  }

  #finish(): void {
    const body = this.#reader.takeBody();
    if (body.trim() !== '') {
      this.#fail(readGeminiFault(body) ?? toFault('The upstream did not answer with a stream of events.'));
      return;
    }
    const candidates = [...this.#candidates.values()];
    const isWhole = candidates.length > 0 && candidates.every((candidate) => candidate.finished);
    if (this.#blocked !== undefined && candidates.length === 0) this.#endBlocked(this.#blocked);
    else if (!isWhole) {
      this.#blame('The upstream ended the stream before the answer was whole.');
      return;
    }
    for (const candidate of candidates) candidate.end();
    this.#ended = true;
    this.#emit({ type: 'reply-end' });
  }

  #endBlocked(refusal: string): void {
    this.#emit({ type: 'choice-end', choice: 0, stop: 'filtered', stopSequence: undefined, refusal });
  }

  #blame(message: string): void {
    this.#fail(toFault(message));
  }

  #fail(fault: Fault): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#emit({ type: 'fault', fault });
  }
}

function toFault(message: string): Fault {
  return { message, type: undefined, code: undefined };
}
