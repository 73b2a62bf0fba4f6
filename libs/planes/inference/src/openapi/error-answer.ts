import { ERROR_TABLE, type ErrorCode } from '@mg/contract';
import { z } from 'zod';

const codes = z.enum(Object.keys(ERROR_TABLE) as ErrorCode[]);

/** The body of every error: the specification's `detail`, and the same in the dialect of the endpoint under `error`. */
export const errorAnswer = z.looseObject({
  detail: z.looseObject({
    code: codes,
    message: z.string(),
    request_id: z.string(),
    type: z.string(),
    param: z.string().optional(),
    retry_after: z.int().optional().meta({ description: 'Seconds after which another try may succeed.' }),
    upstream_status: z.int().optional(),
    upstream_code: z
      .string()
      .optional()
      .meta({ description: 'What the upstream calls the failure, such as `context_length_exceeded`.' }),
    reason: codes.optional(),
  }),
  error: z
    .looseObject({ message: z.string() })
    .meta({ description: 'The same in the dialect of the endpoint, for official SDKs.' }),
});
