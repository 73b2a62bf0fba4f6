import type { ChannelRow, ConsoleStore } from '@mg/persistence/console';
import { z } from 'zod';
import { toModelView } from '../models/model-view.js';

export const uncallableModelSchema = z
  .object({
    slug: z.string(),
    reason: z.enum(['unknown', 'disabled', 'unpriced']).describe('unknown: there is no such model.'),
  })
  .meta({ id: 'UncallableModel' });

export type UncallableModel = z.output<typeof uncallableModelSchema>;

/** Finds the models of channels that callers are refused, whatever the channels answer. */
export async function findUncallableModels(
  { models }: ConsoleStore,
  channels: readonly ChannelRow[],
): Promise<(channel: ChannelRow) => UncallableModel[]> {
  const slugs = [...new Set(channels.flatMap((channel) => Object.keys(channel.models)))];
  const [rows, prices] = await Promise.all([models.findAll(slugs), models.findPricesInForce(slugs)]);
  const findReason = (slug: string): UncallableModel['reason'] | undefined => {
    const row = rows.get(slug);
    if (row === undefined) return 'unknown';
    if (row.state !== 'active') return 'disabled';
    return toModelView(row, prices.get(slug)).priced ? undefined : 'unpriced';
  };
  return (channel) =>
    Object.keys(channel.models).flatMap((slug) => {
      const reason = findReason(slug);
      return reason === undefined ? [] : [{ slug, reason }];
    });
}
