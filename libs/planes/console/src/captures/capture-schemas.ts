import { MAX_CAPTURE_SECONDS, REFUSALS } from '@mg/contract';
import { z } from 'zod';
import { pageQueryShape } from '../http/page-query.js';

const DAY_SECONDS = 86_400;

export const captureSettingSchema = z
  .strictObject({
    until: z.iso
      .datetime({ offset: true, error: REFUSALS.no_moment })
      .describe('From then on no more bodies are kept; seven days ahead at most.'),
    keep_seconds: z
      .int()
      .min(60)
      .max(MAX_CAPTURE_SECONDS)
      .default(DAY_SECONDS)
      .describe('How long each body is kept, seven days at most.'),
  })
  .meta({ id: 'CaptureSetting' });

export type CaptureSetting = z.output<typeof captureSettingSchema>;

export const captureQuerySchema = z.strictObject({ ...pageQueryShape, token_id: z.uuid().optional() });

export type CaptureQuery = z.output<typeof captureQuerySchema>;

const partShape = {
  part: z.enum(['request', 'response']),
  content_type: z.string(),
  bytes: z.int().describe('Of the whole body.'),
  truncated: z.boolean().describe('Whether less than the whole is kept: 64 KB of text, nothing of media.'),
};

const callShape = {
  request_id: z.uuid(),
  token_id: z.uuid(),
  expires_at: z.iso.datetime(),
};

export const capturedCallSchema = z
  .object({ ...callShape, created_at: z.iso.datetime(), parts: z.array(z.object(partShape)) })
  .meta({ id: 'CapturedCall' });

export const capturedBodiesSchema = z
  .object({
    ...callShape,
    parts: z.array(
      z.object({
        ...partShape,
        text: z
          .string()
          .nullable()
          .describe('Redacted; null where it was sealed with another ENCRYPTION_KEY.'),
      }),
    ),
  })
  .meta({ id: 'CapturedBodies' });
