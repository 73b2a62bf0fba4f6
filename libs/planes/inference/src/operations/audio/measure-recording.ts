import { GatewayError } from '@mg/contract';
import type { FormPart, Recording, StoredFile } from '@mg/protocols';
import { RecordingMeter } from './recording-meter.js';

/** Fewest bytes that a second of speech takes in any format: what bounds a recording whose length cannot be read. */
const FEWEST_BYTES_PER_SECOND = 1_000;

/** One thread for the process. */
const METER = new RecordingMeter();

/** Media types by the end of the file's name, for clients that name none. */
const TYPES: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'audio/mp4',
  mpeg: 'audio/mpeg',
  mpga: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'audio/webm',
};

/**
 * The recording of a form's part `file`, with its length: the cost of a call is known before it is sent.
 *
 * @throws GatewayError `invalid_request` when there is none or it is empty.
 */
export async function measureRecording(parts: readonly FormPart[]): Promise<Recording> {
  const file = parts.find((part) => part.name === 'file');
  if (!file?.filename || file.bytes.length === 0) {
    throw new GatewayError('invalid_request', 'file must be a recording.', { param: 'file' });
  }
  const { bytes, filename } = file;
  const contentType = nameType(file.contentType, filename);
  const seconds = await readSeconds(bytes, contentType, filename);
  return seconds === undefined
    ? {
        bytes,
        filename,
        contentType,
        seconds: Math.ceil(bytes.length / FEWEST_BYTES_PER_SECOND),
        measured: false,
      }
    : { bytes, filename, contentType, seconds: Math.ceil(seconds), measured: true };
}

function nameType(declared: string | undefined, filename: string): string {
  if (declared !== undefined && /^(audio|video)\//.test(declared)) return declared;
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? '';
  return TYPES[extension] ?? declared ?? 'application/octet-stream';
}

/** `undefined` when the bytes are no audio that can be read. */
async function readSeconds(
  bytes: Buffer | StoredFile,
  mimeType: string,
  path: string,
): Promise<number | undefined> {
  const duration = await METER.measure(bytes, { mimeType, path, size: bytes.length });
  return duration !== undefined && duration > 0 && Number.isFinite(duration) ? duration : undefined;
}
