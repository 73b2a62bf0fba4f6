import type { Usage } from '@mg/contract';
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

export interface TranscriptionReply {
  readonly text: string;
  readonly usage: Usage | undefined;
}
