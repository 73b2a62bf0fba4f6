import { refuseField } from '../canonical/refuse.js';
import { refuseUpstreamRouting } from '../canonical/upstream-routing.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { isObject, type JsonObject } from '../json.js';
import { JsonScanner } from '../strict-json/json-scanner.js';
import { rememberScan } from '../strict-json/scanned-body.js';
import { type JsonEdit, editNested } from './edit-nested.js';
import { REALTIME_LIMITS, REALTIME_NAMES } from './realtime-names.js';
import type { ClientEventContext, RealtimeClientEvent } from './session-protocol.js';

/** Events that cost nothing but through the responses that they lead to. Others are not known, and so neither is their price. */
const TYPES: ReadonlySet<string> = new Set([
  'session.update',
  'input_audio_buffer.append',
  'input_audio_buffer.commit',
  'input_audio_buffer.clear',
  'output_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.truncate',
  'conversation.item.delete',
  'response.create',
  'response.cancel',
]);
const LONGEST_ID = 512;

/**
 * Reads an event of a client of the Realtime API, in which every name has one meaning, and edits in place what names the
 * model.
 *
 * @throws GatewayError `invalid_request` with the name of the member: for what two readers could read differently, for
 *   events that are not known, and for what would be done by another model or for another price than the session's.
 */
export function readClientEvent(message: Buffer, context: ClientEventContext): RealtimeClientEvent {
  const scanner = new JsonScanner(REALTIME_NAMES, REALTIME_LIMITS);
  scanner.push(message);
  rememberScan(message, scanner.end());
  const event = parseRequestBody(message, REALTIME_NAMES);
  const { type } = event;
  if (typeof type !== 'string' || !TYPES.has(type)) refuseField('type', explainType(type));
  const eventId = readId(event);
  refuseUpstreamRouting(event);
  if (event.model !== undefined) refuseField('model', 'is not known: a session has one model');
  const createsResponse = type === 'response.create';
  if (createsResponse && event.response !== undefined) checkResponse(event.response);
  const settings = type === 'session.update' ? readSession(event, context) : NO_SETTINGS;
  const named = eventId ?? (createsResponse ? context.nameEvent() : undefined);
  const edits: JsonEdit[] = [...settings.edits];
  if (eventId === undefined && named !== undefined) edits.push({ path: ['event_id'], value: named });
  return {
    eventId: named,
    bytes: edits.reduce((bytes, edit) => editNested(bytes, edit, REALTIME_NAMES), message),
    createsResponse,
    image: findImage(event),
    transcription: settings.transcription,
    added: measureAdded(type, message.length),
  };
}

/** @param bytes of the event, as JSON. */
function measureAdded(type: string, bytes: number): RealtimeClientEvent['added'] {
  // Four letters of base64 are three bytes.
  if (type === 'input_audio_buffer.append') return { text: 0, audio: (bytes * 3) / 4 };
  return { text: type === 'conversation.item.create' ? bytes : 0, audio: 0 };
}

interface SessionSettings {
  readonly edits: readonly JsonEdit[];
  readonly transcription: string | null | undefined;
}

const NO_SETTINGS: SessionSettings = { edits: [], transcription: undefined };

function explainType(type: unknown): string {
  return type === 'conversation.item.retrieve'
    ? 'conversation.item.retrieve is not served: an item with its audio may have any length'
    : 'must be an event that clients of the Realtime API send';
}

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

/** @throws GatewayError for what is not a session of speech with the session's model. */
function readSession(event: JsonObject, context: ClientEventContext): SessionSettings {
  const { session } = event;
  if (!isObject(session)) refuseField('session', 'must be an object');
  if (session.type !== undefined && session.type !== 'realtime') {
    refuseField('session.type', 'must be "realtime": sessions that only transcribe are not served');
  }
  checkSettings('session', session);
  const edits: JsonEdit[] = [];
  if (session.model !== undefined) {
    if (typeof session.model !== 'string' || !context.isOwnModel(session.model)) {
      refuseField('session.model', 'must be the model that the session was opened with');
    }
    edits.push({ path: ['session', 'model'], value: context.upstreamModel });
  }
  const found = TRANSCRIPTIONS.filter((path) => memberAt(event, path) !== undefined);
  const [path] = found;
  if (!path) return { edits, transcription: undefined };
  const param = path.join('.');
  if (found.length > 1) refuseField(param, 'is there in two spellings');
  const wanted = memberAt(event, path);
  if (wanted === null) return { edits, transcription: null };
  if (!isObject(wanted) || typeof wanted.model !== 'string')
    refuseField(`${param}.model`, 'must name a model');
  const value = context.nameTranscriber(wanted.model, `${param}.model`);
  return { edits: [...edits, { path: [...path, 'model'], value }], transcription: wanted.model };
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

function checkResponse(response: unknown): void {
  if (response === null) return;
  if (!isObject(response)) refuseField('response', 'must be an object');
  if (response.model !== undefined) refuseField('response.model', 'is not known: a session has one model');
  checkSettings('response', response);
}

/** What session and response have in common. */
function checkSettings(place: string, settings: JsonObject): void {
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

function findImage(event: JsonObject): string | undefined {
  const response = isObject(event.response) ? event.response : {};
  const items: (readonly [string, unknown])[] = [
    ['item', event.item],
    ...listOf(response.input).map((item, index) => [`response.input[${index}]`, item] as const),
  ];
  for (const [place, item] of items) {
    const parts = isObject(item) ? listOf(item.content) : [];
    const index = parts.findIndex((part) => isObject(part) && part.type === 'input_image');
    if (index >= 0) return `${place}.content[${index}].type`;
  }
  return undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
