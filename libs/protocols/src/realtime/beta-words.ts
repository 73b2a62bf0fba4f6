import { omitUndefined } from '@mg/contract';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { parseServerMessage } from './parse-server-message.js';
import type { SessionWords } from './session-protocol.js';

/** By which clients of the beta change a session that only transcribes. */
export const BETA_UPDATE = 'transcription_session.update';
/** What the beta calls members of a session, and where they stand now below `audio.input`. */
const OF_INPUT = {
  input_audio_format: 'format',
  input_audio_transcription: 'transcription',
  turn_detection: 'turn_detection',
  input_audio_noise_reduction: 'noise_reduction',
} as const;
const FORMAT = 'input_audio_format';
const FORMATS: Readonly<Record<string, JsonObject>> = {
  pcm16: { type: 'audio/pcm', rate: 24_000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
};
const SESSION = 'session.';
const ADDED = 'conversation.item.added';
/** Events that are longer stay as they are: they are read and written in one step, and no upstream says so much of a session or an item. */
const LONGEST_BYTES = 256 * 1024;

/**
 * The words of the beta for sessions that only transcribe, for upstreams that know the API alone.
 *
 * @see https://platform.openai.com/docs/guides/realtime#beta-to-ga-migration
 */
export const betaWords: SessionWords = { toUpstream, toClient };

/** @throws GatewayError `invalid_request` for a member that there is no other word for. */
function toUpstream(message: Buffer): Buffer {
  // Most of what is sent is audio, which is not parsed once more.
  if (!message.includes(BETA_UPDATE)) return message;
  const event = parseObject(message.toString('utf8'));
  if (event?.type !== BETA_UPDATE || !isObject(event.session)) return message;
  const { type: _type, include, ...settings } = event.session;
  const input = Object.fromEntries(Object.entries(settings).map(moveIntoInput));
  const session = { type: 'transcription', audio: { input }, ...omitUndefined({ include }) };
  return Buffer.from(JSON.stringify({ ...event, type: 'session.update', session }));
}

function moveIntoInput([name, value]: [string, unknown]): [string, unknown] {
  if (!Object.hasOwn(OF_INPUT, name)) return refuseField(`session.${name}`, 'is not known to this channel');
  const now = OF_INPUT[name as keyof typeof OF_INPUT];
  if (name !== FORMAT) return [now, value];
  const format = typeof value === 'string' && Object.hasOwn(FORMATS, value) ? FORMATS[value] : undefined;
  return format ? [now, format] : refuseField(`session.${FORMAT}`, 'must be pcm16, g711_ulaw or g711_alaw');
}

function toClient(message: Buffer): Buffer {
  if (message.length > LONGEST_BYTES) return message;
  if (!message.includes(`"${SESSION}`) && !message.includes(`"${ADDED}"`)) return message;
  const event = parseServerMessage(message);
  if (typeof event?.type !== 'string') return message;
  if (event.type === ADDED) return write({ ...event, type: 'conversation.item.created' });
  if (!event.type.startsWith(SESSION) || !isObject(event.session)) return message;
  return write({ ...event, type: `transcription_${event.type}`, session: flatten(event.session) });
}

function flatten({ type: _type, audio, ...session }: JsonObject): JsonObject {
  const input = isObject(audio) && isObject(audio.input) ? audio.input : {};
  const moved = Object.entries(OF_INPUT).map(([name, now]) => [
    name,
    name === FORMAT ? nameFormat(input[now]) : input[now],
  ]);
  return { ...session, ...omitUndefined(Object.fromEntries(moved) as JsonObject) };
}

function nameFormat(format: unknown): string | undefined {
  const type = isObject(format) ? format.type : undefined;
  return Object.keys(FORMATS).find((name) => FORMATS[name]?.type === type);
}

function write(event: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(event));
}
