import { isPlausible, NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';
import { parseServerMessage } from './parse-server-message.js';
import type { AudioRates, RealtimeServerEvent } from './session-protocol.js';

const STATUSES = new Set(['completed', 'cancelled', 'incomplete', 'failed'] as const);
type EndStatus = 'completed' | 'cancelled' | 'incomplete' | 'failed';

/** Events that bring a piece of an answer, by the names of the API and of its beta. */
const AUDIO_DELTAS = new Set(['response.output_audio.delta', 'response.audio.delta']);
const TEXT_DELTAS = new Set([
  'response.output_text.delta',
  'response.text.delta',
  'response.function_call_arguments.delta',
  'response.output_audio_transcript.delta',
  'response.audio_transcript.delta',
]);

/** Events that describe the session; in the beta those that only transcribe had names of their own. */
const SESSIONS = new Set(
  ['session', 'transcription_session'].flatMap((session) => [`${session}.created`, `${session}.updated`]),
);

const TRANSCRIPTION = 'conversation.item.input_audio_transcription.';

/** What a failure says is searched for secrets before it is shown, at some 20 ms for a megabyte. */
export const LONGEST_FAILURE_BYTES = 128 * 1024;

/**
 * What is heard is a token for each tenth of a second, what is said for each twentieth.
 *
 * @see https://platform.openai.com/docs/guides/realtime-costs
 */
export const PCM_AUDIO: AudioRates = {
  heardBytes: 48_000,
  heardTokens: 10,
  saidBytes: 48_000,
  saidTokens: 20,
};
const G711_BYTES = 8_000;

/**
 * Reads an event of an upstream that speaks the Realtime API; `undefined` for what is none, and for a response that failed with too
 * long a reason. An error says at any length what was wrong with an event: it repeats what its client has sent.
 *
 * @see https://platform.openai.com/docs/api-reference/realtime-server-events
 */
export function readServerEvent(message: Buffer): RealtimeServerEvent | undefined {
  const event = readEvent(parseServerMessage(message));
  const isFailure = event?.kind === 'response-ended' && event.status === 'failed';
  return isFailure && message.length > LONGEST_FAILURE_BYTES ? undefined : event;
}

function readEvent(event: JsonObject | undefined): RealtimeServerEvent | undefined {
  if (typeof event?.type !== 'string') return undefined;
  const { type } = event;
  if (AUDIO_DELTAS.has(type) || TEXT_DELTAS.has(type)) return readDelta(event, AUDIO_DELTAS.has(type));
  if (type === 'response.created' || type === 'response.done') return readResponse(event);
  if (SESSIONS.has(type)) return readSession(event);
  if (type === 'input_audio_buffer.committed' && typeof event.item_id === 'string') {
    return { kind: 'heard', itemId: event.item_id };
  }
  if (type.startsWith(TRANSCRIPTION)) return readTranscription(event);
  if (type === 'rate_limits.updated') return { kind: 'own-account' };
  if (type !== 'error') return { kind: 'other' };
  const error = isObject(event.error) ? event.error : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const code = text(error.code) ?? text(error.type);
  return { kind: 'error', eventId: text(error.event_id), code, isFailure: error.type === 'server_error' };
}

function readDelta({ response_id: id, delta }: JsonObject, isAudio: boolean): RealtimeServerEvent {
  if (typeof id !== 'string' || typeof delta !== 'string') return { kind: 'other' };
  // Four letters of base64 are three bytes.
  return isAudio
    ? { kind: 'produced', responseId: id, textBytes: 0, audioBytes: Math.floor((delta.length * 3) / 4) }
    : { kind: 'produced', responseId: id, textBytes: Buffer.byteLength(delta), audioBytes: 0 };
}

function readResponse({ type, response }: JsonObject): RealtimeServerEvent | undefined {
  if (!isObject(response) || typeof response.id !== 'string') return undefined;
  const { id: responseId, status } = response;
  if (type === 'response.created') return { kind: 'response-begun', responseId };
  return {
    kind: 'response-ended',
    responseId,
    status: STATUSES.has(status as EndStatus) ? (status as EndStatus) : 'completed',
    usage: readUsage(response.usage),
  };
}

function readTranscription({ type, item_id: itemId, transcript, usage }: JsonObject): RealtimeServerEvent {
  if (typeof itemId !== 'string') return { kind: 'other' };
  if (type === `${TRANSCRIPTION}delta`) return { kind: 'transcribing', itemId };
  const isEnd = type === `${TRANSCRIPTION}completed` || type === `${TRANSCRIPTION}failed`;
  if (!isEnd) return { kind: 'other' };
  const text = typeof transcript === 'string' ? transcript : '';
  return {
    kind: 'transcribed',
    itemId,
    transcript: type === `${TRANSCRIPTION}failed` ? undefined : text,
    usage: readTranscriptionUsage(usage),
  };
}

/** In tokens, or in seconds, by the model. */
function readTranscriptionUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || !isPlausiblePart(value)) return undefined;
  if (value.type !== 'duration') return readUsage(value);
  return value.seconds === undefined ? undefined : { ...NO_USAGE, seconds: toCount(value.seconds) };
}

/** Without `turn_detection` only the client begins responses. The beta had its settings at the session's top. */
function readSession({ session }: JsonObject): RealtimeServerEvent {
  const settings = isObject(session) ? session : {};
  const audio = isObject(settings.audio) ? settings.audio : {};
  const input = isObject(audio.input) ? audio.input : {};
  const output = isObject(audio.output) ? audio.output : {};
  const detection = 'turn_detection' in input ? input.turn_detection : settings.turn_detection;
  return {
    kind: 'session',
    answersSpeech: isObject(detection) && detection.create_response !== false,
    audio: {
      ...PCM_AUDIO,
      heardBytes: bytesOf(typeOf(input.format) ?? settings.input_audio_format),
      saidBytes: bytesOf(typeOf(output.format) ?? settings.output_audio_format),
    },
    transcriber: readTranscriber(
      'transcription' in input ? input.transcription : settings.input_audio_transcription,
    ),
  };
}

/** Of a second. */
function bytesOf(format: unknown): number {
  return typeof format === 'string' && /pcm[ua]|g711/.test(format) ? G711_BYTES : PCM_AUDIO.heardBytes;
}

function readTranscriber(transcription: unknown): string | null | undefined {
  if (transcription === null) return null;
  return isObject(transcription) && typeof transcription.model === 'string' ? transcription.model : undefined;
}

function typeOf(format: unknown): unknown {
  return isObject(format) ? format.type : undefined;
}

/** Tokens of audio and images that come from the cache are counted as cached alone. */
function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value) || value.input_tokens === undefined || value.output_tokens === undefined)
    return undefined;
  const input = detailsOf(value.input_token_details);
  const cached = detailsOf(input.cached_tokens_details);
  const output = detailsOf(value.output_token_details);
  if (![value, input, cached, output].every(isPlausiblePart)) return undefined;
  const fresh = (name: string) => Math.max(0, toCount(input[name]) - toCount(cached[name]));
  return {
    ...NO_USAGE,
    inputTokens: toCount(value.input_tokens),
    cachedInputTokens: toCount(input.cached_tokens),
    outputTokens: toCount(value.output_tokens),
    audioInputTokens: fresh('audio_tokens'),
    audioOutputTokens: toCount(output.audio_tokens),
    ...omitUndefined({
      imageInputTokens: toCount(input.image_tokens) > 0 ? fresh('image_tokens') : undefined,
    }),
  };
}

/** Whether its figures could be true; what they are made of is looked at apart. */
function isPlausiblePart(part: JsonObject): boolean {
  return Object.entries(part).every(([name, figure]) => name.endsWith('_details') || isPlausible(figure));
}

function detailsOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
