import { z } from 'zod';
import { file, flag, modelName, numberFrom, object, oneOf, text } from '../schema/fields.js';
import { TRANSCRIPT_FORMATS } from './transcription.js';

/** Longest text of one call, in characters. */
const MAX_CHARACTERS = 4_096;

/** @see https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speechRequest = z.looseObject({
  model: modelName,
  input: text
    .min(1, 'must not be empty')
    .refine(isShortEnough, `must hold at most ${MAX_CHARACTERS} characters`)
    .meta({ maxLength: MAX_CHARACTERS }),
  voice: z.union([text, object], 'must be a string'),
  instructions: text.nullish(),
  response_format: text.nullish(),
  speed: numberFrom(0.25, 4, 'must be from 0.25 to 4').nullish(),
  stream_format: text.nullish().meta({ examples: ['audio', 'sse'] }),
});

/** Characters as JSON Schema counts them: a pair of surrogates is one. */
export function countCharacters(input: string): number {
  return [...input].length;
}

/** A text of megabytes is not counted. */
function isShortEnough(input: string): boolean {
  return input.length <= 2 * MAX_CHARACTERS && countCharacters(input) <= MAX_CHARACTERS;
}

/**
 * The fields of a recording's form, once those that are numbers and flags have become such.
 *
 * @see https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
export const transcriptionRequest = z.looseObject({
  file: file('A recording of at most 25 MB.'),
  model: modelName,
  language: text.optional().meta({ description: 'ISO 639-1.' }),
  prompt: text.optional(),
  response_format: oneOf(TRANSCRIPT_FORMATS).optional(),
  temperature: numberFrom(0, 1).optional(),
  stream: flag.optional(),
});
