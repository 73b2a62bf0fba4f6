import { z } from 'zod';
import { text, textUpTo } from '../schema/fields.js';

const MAX_DISPLAY_NAME = 512;
const MAX_MIME_TYPE = 128;

const typeText = textUpTo(MAX_MIME_TYPE, `must have at most ${MAX_MIME_TYPE} characters`);
const TYPE_RULE = 'must be a media type, such as image/png';

/** `image/png`, with or without parameters. */
export const mimeType = typeText.regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/, TYPE_RULE);

/** The same, or `jsonl`, as Google's documentation names the type of files for batches. */
export const googleMimeType = typeText.regex(
  /^(?:jsonl|[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?)$/,
  TYPE_RULE,
);

/**
 * The body that begins an upload, whose names may be in snake_case as well.
 *
 * @see https://ai.google.dev/api/files#method:-media.upload
 */
export const newGoogleFile = z.looseObject({
  file: z
    .looseObject(
      {
        name: text
          .regex(
            /^files\/[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
            'must be files/ and up to 40 letters, digits and dashes, all in lower case',
          )
          .nullish(),
        displayName: textUpTo(MAX_DISPLAY_NAME, `must have at most ${MAX_DISPLAY_NAME} characters`).nullish(),
        mimeType: googleMimeType.nullish(),
      },
      'must be an object',
    )
    .nullish(),
});

/** @see https://ai.google.dev/api/files#File */
export const googleFile = z.looseObject({
  name: z.string(),
  displayName: z.string().optional(),
  mimeType: z.string(),
  sizeBytes: z.string().meta({ pattern: String.raw`^\d+$` }),
  createTime: z.string(),
  updateTime: z.string(),
  expirationTime: z.string(),
  uri: z.string(),
  downloadUri: z.string().optional(),
  state: z.literal('ACTIVE'),
  source: z.enum(['UPLOADED', 'GENERATED']),
});

export const googleFiles = z.looseObject({
  files: z.array(googleFile).optional(),
  nextPageToken: z.string().optional(),
});

/** The answer to each step of an upload; with its file after the last one. */
export const googleUpload = z.looseObject({ file: googleFile.optional() });

export const noGoogleFile = z.strictObject({});
