import { readTranscription } from '@mg/protocols';
import type { FormLimits } from '../../edge/read-form.js';
import { formExchange } from '../exchange/exchange-endpoint.js';
import { measureRecording } from './measure-recording.js';

const MEBIBYTE = 1024 * 1024;

/** Recordings of speakers, as `data:` URLs. */
const SPEAKERS = /^known_speaker_references(?:\[|$)/;

/** One recording of at most 25 MB, with four of speakers, and the fields around it. */
const RECORDING_LIMITS: FormLimits = {
  maxFiles: 5,
  maxBytesPerFile: 25 * MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 32,
  maxBytesPerField: 256 * 1024,
  isLongField: (name) => SPEAKERS.test(name),
  maxBytes: 27 * MEBIBYTE,
};

/** Speech to text, in the language that is spoken. */
export const TRANSCRIPTIONS = formExchange('/v1/audio/transcriptions', RECORDING_LIMITS, async (parts) =>
  readTranscription(parts, await measureRecording(parts), 'transcribe'),
);

/** Speech to English text. */
export const TRANSLATIONS = formExchange('/v1/audio/translations', RECORDING_LIMITS, async (parts) =>
  readTranscription(parts, await measureRecording(parts), 'translate'),
);
