import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import {
  checkSettings,
  COMMIT,
  editAll,
  measureAdded,
  NO_SETTINGS,
  openClientEvent,
  readTranscriber,
  type SessionSettings,
} from './client-events.js';
import type { JsonEdit } from './edit-nested.js';
import type { ClientEventContext, RealtimeClientEvent } from './session-protocol.js';

/** Events that cost nothing but through the responses that they lead to. Others are not known, and so neither is their price. */
const TYPES: ReadonlySet<string> = new Set([
  'session.update',
  'input_audio_buffer.append',
  COMMIT,
  'input_audio_buffer.clear',
  'output_audio_buffer.clear',
  'conversation.item.create',
  'conversation.item.truncate',
  'conversation.item.delete',
  'response.create',
  'response.cancel',
]);

/**
 * Reads an event of a client of the Realtime API, in which every name has one meaning, and edits in place what names the
 * model.
 *
 * @throws GatewayError `invalid_request` with the name of the member: for what two readers could read differently, for
 *   events that are not known, and for what would be done by another model or for another price than the session's.
 */
export function readClientEvent(message: Buffer, context: ClientEventContext): RealtimeClientEvent {
  const opened = openClientEvent(message, TYPES, explainType);
  const { event, type, eventId } = opened;
  const createsResponse = type === 'response.create';
  if (createsResponse && event.response !== undefined) checkResponse(event.response);
  const settings = type === 'session.update' ? readSession(event, context) : NO_SETTINGS;
  const named = eventId ?? (createsResponse ? context.nameEvent() : undefined);
  const edits: JsonEdit[] = [...settings.edits];
  if (eventId === undefined && named !== undefined) edits.push({ path: ['event_id'], value: named });
  return {
    eventId: named,
    bytes: editAll(message, edits),
    createsResponse,
    commitsAudio: type === COMMIT,
    image: findImage(event),
    transcription: settings.transcription,
    added: measureAdded(opened, message.length),
  };
}

function explainType(type: unknown): string {
  return type === 'conversation.item.retrieve'
    ? 'conversation.item.retrieve is not served: an item with its audio may have any length'
    : 'must be an event that clients of the Realtime API send';
}

/** @throws GatewayError for what is not a session of speech with the session's model. */
function readSession(event: JsonObject, context: ClientEventContext): SessionSettings {
  const { session } = event;
  if (!isObject(session)) refuseField('session', 'must be an object');
  if (session.type !== undefined && session.type !== 'realtime') {
    refuseField(
      'session.type',
      'must be "realtime": open sessions that only transcribe by ?intent=transcription',
    );
  }
  checkSettings('session', session);
  const edits: JsonEdit[] = [];
  if (session.model !== undefined) {
    if (typeof session.model !== 'string' || !context.isOwnModel(session.model)) {
      refuseField('session.model', 'must be the model that the session was opened with');
    }
    edits.push({ path: ['session', 'model'], value: context.upstreamModel });
  }
  const { edits: named, transcription } = readTranscriber(event, context);
  return { edits: [...edits, ...named], transcription };
}

function checkResponse(response: unknown): void {
  if (response === null) return;
  if (!isObject(response)) refuseField('response', 'must be an object');
  if (response.model !== undefined) refuseField('response.model', 'is not known: a session has one model');
  checkSettings('response', response);
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
