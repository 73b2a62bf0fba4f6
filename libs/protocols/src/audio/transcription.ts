import type { Usage } from '@mg/contract';
import { throwUpstreamError } from '../canonical/refuse.js';
import type { StoredFile } from '../exchange/stored-bytes.js';

/** What the gateway knows of a recording before anybody listens to it. */
export interface Recording {
  readonly bytes: Buffer | StoredFile;
  readonly filename: string;
  /** Media type, such as `audio/mpeg`. */
  readonly contentType: string;
  /** Length in seconds, rounded up; a bound where it could not be measured. */
  readonly seconds: number;
  readonly measured: boolean;
}

export const TRANSCRIPT_FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** A recording to be written down, in no wire format in particular. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly task: 'transcribe' | 'translate';
  readonly recording: Recording;
  /** ISO 639-1. */
  readonly language: string | undefined;
  readonly prompt: string | undefined;
  readonly temperature: number | undefined;
  readonly format: TranscriptFormat;
  readonly stream: boolean;
  /** Names of fields that only some channels understand, such as `timestamp_granularities[]`. */
  readonly rest: readonly string[];
}

/** The longest recordings that are taken have a tenth of it. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A transcript, or its bytes. @throws GatewayError `upstream_error` for one longer than anybody can have spoken. */
export function limitTranscript<T extends string | Buffer>(transcript: T): T {
  return transcript.length <= MOST_CHARACTERS
    ? transcript
    : throwUpstreamError('The upstream answered with a transcript that is longer than any can be.');
}

export interface TranscriptionReply {
  readonly text: string;
  readonly usage: Usage | undefined;
}
