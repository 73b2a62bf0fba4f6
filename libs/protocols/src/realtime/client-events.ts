import { refuseField } from '../canonical/refuse.js';
import { refuseUpstreamRouting } from '../canonical/upstream-routing.js';
import { isObject, type JsonObject } from '../json.js';
import { type JsonEdit, editNested } from './edit-nested.js';
import { parseClientMessage, parseLongClientMessage } from './parse-client-message.js';
import { REALTIME_NAMES } from './realtime-names.js';
import type { ClientEventContext, RealtimeClientEvent } from './session-protocol.js';

/** Type of the event that says that audio is a piece of speech. */
export const COMMIT = 'input_audio_buffer.commit';
const LONGEST_ID = 512;
/** An event with settings is scanned again for each name in it that the upstream has another one for. OpenAI takes 16,384 tokens. */
const LONGEST_SETTINGS_BYTES = 256 * 1024;

/** An event of a client, in which every name has one meaning. */
export interface ClientEvent {
  readonly event: JsonObject;
  readonly type: string;
  /** The client's own name of it. */
  readonly eventId: string | undefined;
}

/**
 * Reads what all events have.
 *
 * @param types of the events that may be sent.
 * @throws GatewayError `invalid_request` with the name of the member.
 */
export function openClientEvent(
  message: Buffer,
  types: ReadonlySet<string>,
  explainType: (type: unknown) => string,
): ClientEvent {
  const event = parseClientMessage(message, REALTIME_NAMES);
  const { type } = event;
  if (typeof type !== 'string' || !types.has(type)) refuseField('type', explainType(type));
  if (event.session !== undefined && message.length > LONGEST_SETTINGS_BYTES) {
    refuseField('session', `makes the event longer than ${LONGEST_SETTINGS_BYTES} bytes`);
  }
  const eventId = readId(event);
  refuseUpstreamRouting(event);
  if (event.model !== undefined) refuseField('model', 'is not known: a session has one model');
  return { event, type, eventId };
}

/** Parses a long event in steps, for {@link openClientEvent}. @throws GatewayError `invalid_request` with the name of the member. */
export function parseLongClientEvent(message: Buffer, pause: () => Promise<void>): Promise<void> {
  return parseLongClientMessage(message, REALTIME_NAMES, pause);
}

/** The message with members that have other values; all other bytes stay as they are. */
export function editAll(message: Buffer, edits: readonly JsonEdit[]): Buffer {
  return edits.reduce((bytes, edit) => editNested(bytes, edit, REALTIME_NAMES), message);
}

/** @param bytes of the event, as JSON. */
export function measureAdded({ type, event }: ClientEvent, bytes: number): RealtimeClientEvent['added'] {
  if (type === 'input_audio_buffer.append') {
    const letters = typeof event.audio === 'string' ? event.audio.length : bytes;
    // Four letters of base64 are three bytes.
    return { text: 0, audio: (letters * 3) / 4 };
  }
  return { text: type === 'conversation.item.create' ? bytes : 0, audio: 0 };
}

/** What an update of a session changes. */
export interface SessionSettings {
  readonly edits: readonly JsonEdit[];
  readonly transcription: string | null | undefined;
}

export const NO_SETTINGS: SessionSettings = { edits: [], transcription: undefined };

function readId({ event_id: id }: JsonObject): string | undefined {
  if (id === undefined || id === null) return undefined;
  if (typeof id !== 'string' || id.length > LONGEST_ID) {
    refuseField('event_id', `must be a text of at most ${LONGEST_ID} characters`);
  }
  return id;
}

/** Where sessions name the model that transcribes: in the API, and in its beta. */
const TRANSCRIPTIONS = [
  ['session', 'audio', 'input', 'transcription'],
  ['session', 'input_audio_transcription'],
];

/** The model that is to transcribe what is heard, and the upstream's own name of it in its place. @throws GatewayError naming the field. */
export function readTranscriber(event: JsonObject, context: ClientEventContext): SessionSettings {
  const found = TRANSCRIPTIONS.filter((path) => memberAt(event, path) !== undefined);
  const [path] = found;
  if (!path) return NO_SETTINGS;
  const param = path.join('.');
  if (found.length > 1) refuseField(param, 'is there in two spellings');
  const wanted = memberAt(event, path);
  if (wanted === null) return { edits: [], transcription: null };
  if (!isObject(wanted) || typeof wanted.model !== 'string')
    refuseField(`${param}.model`, 'must name a model');
  const value = context.nameTranscriber(wanted.model, `${param}.model`);
  return { edits: [{ path: [...path, 'model'], value }], transcription: wanted.model };
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** Checks what sessions and responses have in common. @throws GatewayError naming the field. */
export function checkSettings(place: string, settings: JsonObject): void {
  refuseUpstreamRouting(settings);
  if (settings.prompt !== undefined && settings.prompt !== null) {
    refuseField(`${place}.prompt`, 'is kept in an account of the provider: send instructions instead');
  }
  if (settings.service_tier !== undefined && settings.service_tier !== null) {
    refuseField(`${place}.service_tier`, 'is not served: a session has no tiers');
  }
  const tools: unknown[] = Array.isArray(settings.tools) ? settings.tools : [];
  for (const [index, tool] of tools.entries()) {
    if (isObject(tool) && tool.type === 'function') continue;
    refuseField(`${place}.tools[${index}].type`, 'must be "function": other tools have no price');
  }
}
