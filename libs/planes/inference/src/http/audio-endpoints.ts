import { readTranscription } from '@mg/protocols';
import type { FastifyInstance } from 'fastify';
import { measureRecording } from '../exchange/measure-recording.js';
import type { Kit } from '../kit.js';
import { billedForm } from './exchange-endpoints.js';
import type { FormBody, FormLimits } from './read-form.js';
import { serve } from './serve-route.js';

const MEBIBYTE = 1024 * 1024;

/** One recording of at most 25 MB, and the fields around it. */
const RECORDING_LIMITS: FormLimits = {
  maxFiles: 5,
  maxBytesPerFile: 25 * MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 32,
  maxBytesPerField: MEBIBYTE,
  maxBytes: 27 * MEBIBYTE,
};

const TASKS = { transcriptions: 'transcribe', translations: 'translate' } as const;

/** Speech to text: as it was said, or in English. */
export function registerTranscriptions(scope: FastifyInstance, kit: Kit): void {
  for (const [name, task] of Object.entries(TASKS)) {
    const url = `/v1/audio/${name}`;
    const read = async ({ parts }: FormBody) => readTranscription(parts, await measureRecording(parts), task);
    serve(scope, url, 'openai-chat', { POST: billedForm(url, RECORDING_LIMITS, read, kit) });
  }
}
