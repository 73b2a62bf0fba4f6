import { refuseField } from '../../canonical/refuse.js';
import { isObject, type JsonObject } from '../../json.js';
import type { RealtimeClientEvent } from '../session-protocol.js';
import { findImage, isSeen, listOf, parseLiveMessage, refuseFiles, refuseUnknown } from './read-message.js';
import { checkTools } from './read-setup.js';

/** What an image, or a second of video, is counted as where the upstream does not say: 258 tokens of three bytes. */
const BYTES_OF_IMAGE = 774;

/** What one message is, apart from its bytes. */
type Read = Pick<RealtimeClientEvent, 'createsResponse' | 'image' | 'added'>;

const NOTHING = { text: 0, audio: 0 };

const READERS: Readonly<Record<string, (value: JsonObject, bytes: number) => Read>> = {
  clientContent: readContent,
  realtimeInput: readInput,
  toolResponse: readResults,
  contextUpdate: readUpdate,
};

/**
 * Reads a message of a client of the Live API after its setup.
 *
 * @throws GatewayError `invalid_request` with the name of the member.
 * @see https://ai.google.dev/api/live#client-messages
 */
export function readLiveClient(message: Buffer): RealtimeClientEvent {
  const parsed = parseLiveMessage(message);
  const [name = '', ...others] = Object.keys(parsed);
  if (others.length > 0) refuseField(others[0] ?? '', `stands beside ${name}: a message is one of them`);
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (!read) {
    const problem = name === 'setup' ? 'is sent once' : 'is no message that clients of the Live API send';
    refuseField(name === '' ? 'body' : name, problem);
  }
  const value = parsed[name];
  if (!isObject(value)) refuseField(name, 'must be an object');
  return {
    ...read(value, message.length),
    eventId: undefined,
    bytes: message,
    commitsAudio: false,
    transcription: undefined,
  };
}

function readContent(content: JsonObject, bytes: number): Read {
  refuseUnknown('clientContent.', content, new Set(['turns', 'turnComplete']));
  refuseFiles('clientContent.turns', content.turns);
  return {
    createsResponse: content.turnComplete === true,
    image: findImage('clientContent.turns', content.turns),
    added: { text: bytes, audio: 0 },
  };
}

const INPUTS: ReadonlySet<string> = new Set([
  'mediaChunks',
  'audio',
  'audioStreamEnd',
  'video',
  'text',
  'activityStart',
  'activityEnd',
]);

function readInput(input: JsonObject): Read {
  refuseUnknown('realtimeInput.', input, INPUTS);
  const { audio, video, mediaChunks, text } = input;
  const blobs: (readonly [string, unknown])[] = [
    ['realtimeInput.audio', audio],
    ...listOf(mediaChunks).map((chunk, index) => [`realtimeInput.mediaChunks[${index}]`, chunk] as const),
  ];
  const seen = blobs.find(([, blob]) => isSeen(blob))?.[0];
  const image = video === undefined || video === null ? seen : 'realtimeInput.video';
  const letters = blobs.reduce((sum, [, blob]) => sum + lengthOf(isObject(blob) ? blob.data : ''), 0);
  return {
    createsResponse: typeof text === 'string',
    image,
    added: {
      text: lengthOf(text) + (image === undefined ? 0 : BYTES_OF_IMAGE),
      // Four letters of base64 are three bytes.
      audio: image === seen && seen !== undefined ? 0 : (letters * 3) / 4,
    },
  };
}

function readResults(results: JsonObject, bytes: number): Read {
  refuseUnknown('toolResponse.', results, new Set(['functionResponses']));
  refuseFiles('toolResponse.functionResponses', results.functionResponses);
  return {
    createsResponse: true,
    image: findImage('toolResponse.functionResponses', results.functionResponses),
    added: { text: bytes, audio: 0 },
  };
}

function readUpdate(update: JsonObject, bytes: number): Read {
  refuseUnknown('contextUpdate.', update, new Set(['systemInstruction', 'tools']));
  const { systemInstruction, tools } = update;
  refuseFiles('contextUpdate.systemInstruction', systemInstruction);
  if (isObject(tools)) {
    refuseUnknown('contextUpdate.tools.', tools, new Set(['tools']));
    checkTools('contextUpdate.tools.tools', tools.tools, false);
  } else if (tools !== undefined && tools !== null) {
    refuseField('contextUpdate.tools', 'must be an object');
  }
  return {
    createsResponse: false,
    image: findImage('contextUpdate.systemInstruction', systemInstruction),
    added: { ...NOTHING, text: bytes },
  };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
