import { formatUsd, WASTE_REASONS, type WasteReason } from '@mg/contract';
import { ConsoleStore, EVERYONE, type WasteTotals } from '@mg/persistence/console';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { Roles } from '../http/route-access.js';
import { DAY_MS, DEFAULT_DAYS, MOST_DAYS, refuseLongRange } from './time-range.js';
import { type WasteQuery, wasteQuerySchema, wasteSchema } from './waste-schemas.js';

@ApiTags('usage')
@Controller('api/v1/waste')
export class WasteController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({
    summary: 'What upstreams may bill us for and no caller pays, by channel and reason, as an estimate',
    answer: wasteSchema,
  })
  async show(@Query({ schema: wasteQuerySchema }) query: WasteQuery): Promise<z.output<typeof wasteSchema>> {
    const to = query.to ?? new Date();
    const from = query.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS);
    refuseLongRange(from, to, MOST_DAYS);
    const [waste, usage] = await Promise.all([
      this.store.waste.sum(from, to),
      this.store.sumUsage(EVERYONE, 'channel', { from, to }),
    ]);
    const spend = new Map(usage.map((sum) => [sum.key, sum.cost]));
    return {
      data: waste.sums.map((sum) => ({
        channel: sum.channel,
        reason: toReason(sum.reason),
        ...toView(sum),
        spend: formatUsd(sum.channel === '' ? 0n : (spend.get(sum.channel) ?? 0n)),
      })),
      total: { ...toView(waste.total), spend: formatUsd(usage.reduce((sum, { cost }) => sum + cost, 0n)) },
    };
  }
}

function toView({ calls, attempts, cost }: WasteTotals) {
  return { calls, attempts, cost: formatUsd(cost) };
}

/** A reason of a later version is one of failure to this one. */
function toReason(reason: string): WasteReason {
  return WASTE_REASONS.find((known) => known === reason) ?? 'failed';
}
