import { refuseField } from '../canonical/refuse.js';
import { refuseUpstreamRouting } from '../canonical/upstream-routing.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { isObject, type JsonObject } from '../json.js';
import { editMembers, type MemberSpan } from '../splice-json.js';
import { JsonScanner } from '../strict-json/json-scanner.js';
import { rememberScan, scanBody } from '../strict-json/scanned-body.js';
import { REALTIME_LIMITS, REALTIME_NAMES } from './realtime-names.js';

/** What a client's event means for money, and the bytes that the upstream gets. */
export interface RealtimeClientEvent {
  readonly type: string;
  /** The client's own name of the event; of a `response.create` always there, since its refusal is known by it. */
  readonly eventId: string | undefined;
  readonly bytes: Buffer;
  /** Of a `response.create`. */
  readonly createsResponse: boolean;
  /** Field that brings an image, where there is one. */
  readonly image: string | undefined;
}

/** What an event is read with. */
export interface ClientEventContext {
  /** Whether the client may call the session's model so. */
  isOwnModel(name: string): boolean;
  /** The upstream's own name of it. */
  readonly upstreamModel: string;
  /** A name for a `response.create` that has none. */
  nameEvent(): string;
}

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
  const edits = new Map<string, string | Buffer>();
  if (type === 'session.update') {
    const session = readSession(event);
    if (session.model !== undefined) edits.set('session', renameModel(message, session.model, context));
  }
  if (type === 'response.create' && event.response !== undefined) checkResponse(event.response);
  const createsResponse = type === 'response.create';
  const named = eventId ?? (createsResponse ? context.nameEvent() : undefined);
  if (eventId === undefined && named !== undefined) edits.set('event_id', JSON.stringify(named));
  return {
    type,
    eventId: named,
    bytes: editMembers(message, edits, REALTIME_NAMES),
    createsResponse,
    image: findImage(event),
  };
}

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

/** @throws GatewayError for what is not a session of speech with the session's model. */
function readSession({ session }: JsonObject): JsonObject {
  if (!isObject(session)) refuseField('session', 'must be an object');
  if (session.type !== undefined && session.type !== 'realtime') {
    refuseField('session.type', 'must be "realtime": sessions that only transcribe are not served');
  }
  checkSettings('session', session);
  const audio = isObject(session.audio) ? session.audio : {};
  const input = isObject(audio.input) ? audio.input : {};
  refuseTranscription('session.audio.input.transcription', input.transcription);
  refuseTranscription('session.input_audio_transcription', session.input_audio_transcription);
  return session;
}

/** Another model does that, and no price of the session's covers it. */
function refuseTranscription(param: string, value: unknown): void {
  if (value === undefined || value === null) return;
  refuseField(
    param,
    'is not served: another model would transcribe, and the price of the session covers its own',
  );
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

/** The bytes of `session` with the upstream's own name of the model. */
function renameModel(message: Buffer, model: unknown, context: ClientEventContext): Buffer {
  if (typeof model !== 'string' || !context.isOwnModel(model)) {
    refuseField('session.model', 'must be the model that the session was opened with');
  }
  const span = scanBody(message, REALTIME_NAMES).find(({ key }) => key === 'session') as MemberSpan;
  const session = message.subarray(span.valueStart, span.valueEnd);
  return editMembers(session, new Map([['model', JSON.stringify(context.upstreamModel)]]), REALTIME_NAMES);
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
