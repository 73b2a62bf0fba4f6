import { refuseField } from '../canonical/refuse.js';
import { isObject } from '../json.js';
import { BETA_UPDATE } from './beta-words.js';
import {
  checkSettings,
  type ClientEvent,
  COMMIT,
  editAll,
  measureAdded,
  NO_SETTINGS,
  openClientEvent,
  readTranscriber,
  type SessionSettings,
} from './client-events.js';
import { openAiRealtime } from './openai-realtime.js';
import { readServerEvent } from './read-server-event.js';
import type {
  ClientEventContext,
  RealtimeClientEvent,
  RealtimeServerEvent,
  SessionProtocol,
} from './session-protocol.js';

/** Value of the header `OpenAI-Beta` in the beta of the API. */
export const REALTIME_BETA = 'realtime=v1';
const TYPES: ReadonlySet<string> = new Set([
  'session.update',
  BETA_UPDATE,
  'input_audio_buffer.append',
  COMMIT,
  'input_audio_buffer.clear',
]);
const MODEL = 'session.audio.input.transcription.model';

/**
 * Sessions of OpenAI's Realtime API that only transcribe: nobody answers, and the model is one that transcribes.
 *
 * @see https://platform.openai.com/docs/guides/realtime-transcription
 */
export const openAiTranscription: SessionProtocol = {
  ...openAiRealtime,
  title: "OpenAI's Realtime API for transcription",
  readClientEvent,
  openReader: () => ({ read: readMessage }),
};

/** What the first event of a client says. */
export interface TranscriptionSetup {
  /** The model that is to transcribe, as the client calls it. */
  readonly model: string;
  readonly isBeta: boolean;
  /** The event for an upstream, with its own name of the model. */
  render(upstreamModel: string): Buffer;
}

/** Reads the first event, which has to name the model. @throws GatewayError `invalid_request` naming the member. */
export function readTranscriptionSetup(first: Buffer): TranscriptionSetup {
  const opened = openClientEvent(first, TYPES, explainType);
  const { transcription: model } = readSettings(
    opened,
    nameBy((name) => name),
  );
  if (typeof model !== 'string')
    return refuseField(MODEL, 'must be named by the first event, session.update');
  return {
    model,
    isBeta: opened.type === BETA_UPDATE,
    render: (upstreamModel) =>
      readClientEvent(
        first,
        nameBy(() => upstreamModel),
      ).bytes,
  };
}

function nameBy(nameTranscriber: (model: string) => string): ClientEventContext {
  return { isOwnModel: () => false, upstreamModel: '', nameTranscriber, nameEvent: () => '' };
}

/** Tells a client that its session is there, before it has named a model: clients wait for that. */
export function renderTranscriptionCreated(
  isBeta: boolean,
  ids: { readonly event: string; readonly session: string },
): string {
  const input = { transcription: null, turn_detection: null };
  const session = isBeta
    ? { object: 'realtime.transcription_session', input_audio_transcription: null, turn_detection: null }
    : { object: 'realtime.transcription_session', type: 'transcription', audio: { input } };
  return JSON.stringify({
    type: isBeta ? 'transcription_session.created' : 'session.created',
    event_id: ids.event,
    session: { ...session, id: ids.session },
  });
}

function readClientEvent(message: Buffer, context: ClientEventContext): RealtimeClientEvent {
  const opened = openClientEvent(message, TYPES, explainType);
  const { edits, transcription } = readSettings(opened, context);
  return {
    eventId: opened.eventId,
    bytes: editAll(message, edits),
    createsResponse: false,
    commitsAudio: opened.type === COMMIT,
    image: undefined,
    transcription,
    added: measureAdded(opened, message.length),
  };
}

function explainType(type: unknown): string {
  return typeof type === 'string' && type.startsWith('response.')
    ? 'is of another kind of session: this one only transcribes'
    : 'must be an event that clients send to sessions that transcribe';
}

/** @throws GatewayError for what is no session that transcribes, or would be done by another model. */
function readSettings({ event, type }: ClientEvent, context: ClientEventContext): SessionSettings {
  if (type !== 'session.update' && type !== BETA_UPDATE) return NO_SETTINGS;
  const { session } = event;
  if (!isObject(session)) return refuseField('session', 'must be an object');
  if (session.type !== undefined && session.type !== 'transcription') {
    refuseField('session.type', 'must be "transcription", as the session was opened');
  }
  if (session.model !== undefined) refuseField('session.model', `is not known: name it as ${MODEL}`);
  checkSettings('session', session);
  return readTranscriber(event, context);
}

/** What answers are about: nothing is held for them here. */
const ANSWERS: ReadonlySet<RealtimeServerEvent['kind']> = new Set([
  'response-begun',
  'response-ended',
  'produced',
]);

function readMessage(message: Buffer): readonly RealtimeServerEvent[] | undefined {
  const event = readServerEvent(message);
  if (!event || ANSWERS.has(event.kind)) return undefined;
  return [event.kind === 'session' ? { ...event, answersSpeech: false } : event];
}
