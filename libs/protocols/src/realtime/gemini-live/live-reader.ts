import { type Usage } from '@mg/contract';
import { readList } from '../../canonical/read-fields.js';
import { isObject, type JsonObject } from '../../json.js';
import { parseServerMessage } from '../parse-server-message.js';
import type { AudioRates, RealtimeServerEvent, ServerEventReader } from '../session-protocol.js';
import { readLiveUsage } from './read-usage.js';

/** A turn of the model that has begun. */
interface Turn {
  readonly id: string;
  /** What the upstream last said that it used. */
  usage: Usage | undefined;
  readonly searches: Set<unknown>;
  /** Nothing is to come of it but its usage. */
  isOver: boolean;
  /** Functions were called and their results are awaited: usage that comes alone is that of what led to the calls. */
  isCalling: boolean;
}

/**
 * Reads what an upstream of the Live API sends. Turns have no ids there: one begins with the first content or usage after the last
 * one's end, and each is charged once, by the last usage that it reported. A turn ends at `turnComplete`, also when it was
 * interrupted, and at calls of functions whose usage is told; what follows their results is another one, which reads all of it
 * again. Where the end brings no usage, the turn waits for a message with it until another one begins.
 *
 * @see https://ai.google.dev/api/live#server-messages
 */
export class LiveReader implements ServerEventReader {
  readonly #audio: AudioRates;
  /** Searches cost a fee by the call whose answer rests on them, not by the query. */
  readonly #paysByCall: boolean;
  #turn: Turn | undefined;
  #turns = 0;
  /** The usage that the last turn was ended with, as it was written: said once more, it is the same. */
  #lastUsage = '';

  constructor(audio: AudioRates, upstreamModel: string) {
    this.#audio = audio;
    this.#paysByCall = PAID_BY_CALL.test(upstreamModel);
  }

  read(bytes: Buffer): readonly RealtimeServerEvent[] | undefined {
    const message = parseServerMessage(bytes);
    if (!message) return undefined;
    if (message.setupComplete !== undefined) {
      return [{ kind: 'session', answersSpeech: true, audio: this.#audio }];
    }
    const events = this.#readTurn(message, bytes.length);
    if (message.goAway !== undefined) events.push({ kind: 'going-away' });
    if (message.sessionResumptionUpdate !== undefined) events.push({ kind: 'own-account' });
    return events;
  }

  /** @param length of the message, in bytes. */
  #readTurn(message: JsonObject, length: number): RealtimeServerEvent[] {
    const { serverContent, toolCall, usageMetadata } = message;
    const content = isObject(serverContent) ? serverContent : {};
    const usage = readLiveUsage(usageMetadata);
    const events: RealtimeServerEvent[] = [];
    const isCall = toolCall !== undefined;
    const isComplete = content.turnComplete === true;
    const hasContent = content.modelTurn !== undefined || isCall;
    if (hasContent && this.#turn?.isOver) events.push(...this.#end());
    const isOnlyUsage = !this.#turn && !hasContent;
    if (isOnlyUsage && !(usage && this.#isNews(usageMetadata))) return events;
    const turn = this.#turn ?? this.#begin(events);
    if (hasContent) turn.isCalling = isCall;
    events.push(readProduced(turn.id, content, isCall ? length : 0));
    for (const query of listQueries(content))
      if (turn.searches.size < MOST_SEARCHES) turn.searches.add(query);
    if (usage) {
      turn.usage = usage;
      this.#lastUsage = JSON.stringify(usageMetadata);
      events.push({ kind: 'used', responseId: turn.id, usage: this.#total(turn) ?? usage });
    }
    turn.isOver ||= isComplete;
    const isLast = isOnlyUsage || turn.isCalling;
    if (turn.isOver ? turn.usage : usage && isLast) events.push(...this.#end());
    return events;
  }

  #begin(events: RealtimeServerEvent[]): Turn {
    const turn: Turn = {
      id: `turn_${++this.#turns}`,
      usage: undefined,
      searches: new Set(),
      isOver: false,
      isCalling: false,
    };
    this.#turn = turn;
    events.push({ kind: 'response-begun', responseId: turn.id });
    return turn;
  }

  #end(): readonly RealtimeServerEvent[] {
    const turn = this.#turn;
    this.#turn = undefined;
    if (!turn) return [];
    return [{ kind: 'response-ended', responseId: turn.id, status: 'completed', usage: this.#total(turn) }];
  }

  #total({ usage, searches }: Turn): Usage | undefined {
    if (!usage || searches.size === 0) return usage;
    return { ...usage, webSearches: this.#paysByCall ? 1 : searches.size };
  }

  #isNews(metadata: unknown): boolean {
    return JSON.stringify(metadata) !== this.#lastUsage;
  }
}

/** No turn makes so many: what is counted is bounded, whatever an upstream sends. */
const MOST_SEARCHES = 100;
const PAID_BY_CALL = /^(?:models\/)?gemini-[12](?:\D|$)/;

/** @param callBytes of a message that calls functions. */
function readProduced(responseId: string, content: JsonObject, callBytes: number): RealtimeServerEvent {
  const { modelTurn, outputTranscription } = content;
  const parts = isObject(modelTurn) ? readList(modelTurn.parts).filter(isObject) : [];
  const texts = [...parts, isObject(outputTranscription) ? outputTranscription : {}].map(({ text }) =>
    typeof text === 'string' ? Buffer.byteLength(text) : 0,
  );
  // Four letters of base64 are three bytes.
  const audioBytes = parts.reduce((sum, { inlineData }) => sum + (lettersOf(inlineData) * 3) / 4, 0);
  return {
    kind: 'produced',
    responseId,
    textBytes: texts.reduce((sum, bytes) => sum + bytes, callBytes),
    audioBytes: Math.floor(audioBytes),
  };
}

function lettersOf(blob: unknown): number {
  return isObject(blob) && typeof blob.data === 'string' ? blob.data.length : 0;
}

function listQueries({ groundingMetadata }: JsonObject): readonly unknown[] {
  return isObject(groundingMetadata) ? readList(groundingMetadata.webSearchQueries) : [];
}
