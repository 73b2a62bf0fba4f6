import { z } from 'zod';
import { CHANNEL_STATES } from './channel-state.js';

const backlogSchema = z.object({ count: z.int(), oldest_seconds: z.int() });

const attemptCountsSchema = z.object({ served: z.int(), failed: z.int() });

export const systemSchema = z
  .object({
    planes: z.array(
      z.object({
        plane: z.string(),
        instance: z.string(),
        version: z.string(),
        started_at: z.iso.datetime(),
        seen_at: z.iso.datetime(),
        alive: z.boolean().describe('Whether it reported within the last seconds.'),
      }),
    ),
    open_holds: z.array(
      z.object({ kind: z.enum(['call', 'video']), amount: z.string(), ...backlogSchema.shape }),
    ),
    journal: backlogSchema.describe('Usage that waits to be charged.'),
    drift_rows: z
      .int()
      .nullable()
      .describe(
        'Figures that billing’s last check of the ledger found wrong; null when no billing plane reports.',
      ),
    tasks: z.record(z.string(), z.int()).describe('Video tasks that have not ended, by state.'),
    webhooks: backlogSchema.describe('Webhooks that are still to be sent.'),
    channels: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        enabled: z.boolean(),
        has_key: z
          .boolean()
          .describe('false: all of its keys are disabled, so that it serves nothing; its state is disabled.'),
        healthy: z.boolean().describe('No process has taken it out of rotation for any model.'),
        state: z
          .enum(CHANNEL_STATES)
          .describe('By the attempts: failing never answers, idle was not asked in the last hour.'),
        attempts: z
          .object({ hour: attemptCountsSchema, day: attemptCountsSchema })
          .describe('Of the last hour and of the last 24 hours, in the newest 5,000 calls.'),
        last_failure: z
          .object({ at: z.iso.datetime(), status: z.int().nullable(), reason: z.string() })
          .nullable()
          .describe('The latest attempt that failed in these calls.'),
        resting: z
          .array(
            z.object({
              instance: z.string().describe('The process that has taken it out of rotation.'),
              model: z.string(),
              until: z.iso.datetime(),
              failures: z.int().describe('Failures in a row.'),
              key: z.string().nullable().describe('Hint of the key, where it alone is left out.'),
              reason: z.string().nullable().describe('How it failed last.'),
            }),
          )
          .describe('Each process keeps the health of its channels for itself.'),
      }),
    ),
  })
  .meta({ id: 'System' });
