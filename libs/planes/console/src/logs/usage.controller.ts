import { formatUsd } from '@mg/contract';
import { ConsoleStore, type UsageBucket, type UsageTotals } from '@mg/persistence/console';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { type Caller, CurrentCaller, refuseChannels, refuseUsers } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { AnyRole } from '../http/route-access.js';
import { findAccess, findProjectWallet, seesAllOf } from '../projects/project-access.js';
import {
  type SeriesQuery,
  seriesQuerySchema,
  seriesSchema,
  type UsageQuery,
  usageQuerySchema,
  usageSchema,
} from './log-schemas.js';
import { DAY_MS, DEFAULT_DAYS, MOST_DAYS, refuseLongRange } from './time-range.js';

/** As many points as a chart can show. */
const MOST_DAYS_BY_BUCKET: Readonly<Record<UsageBucket, number>> = { hour: 31, day: MOST_DAYS };
const DEFAULT_DAYS_BY_BUCKET: Readonly<Record<UsageBucket, number>> = { hour: 1, day: DEFAULT_DAYS };

@ApiTags('usage')
@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @ApiRoute({
    summary: 'Calls, tokens, cost and times by day, model, token, user, project or channel, or all together',
    answer: usageSchema,
  })
  async show(
    @CurrentCaller() caller: Caller,
    @Query({ schema: usageQuerySchema }) query: UsageQuery,
  ): Promise<z.output<typeof usageSchema>> {
    refuseChannels(caller, 'group_by', query.group_by === 'channel');
    refuseUsers(caller, 'group_by', query.group_by === 'user' && !seesUsersOf(caller, query.project_id));
    const projectWalletId = await findProjectWallet(this.store, caller, query.project_id);
    const now = Date.now();
    // A gateway's clock may run ahead of ours: without a bound of the caller's, its calls of today count too.
    const to = query.to ?? new Date(now + DAY_MS);
    const from = query.from ?? new Date((query.to?.getTime() ?? now) - DEFAULT_DAYS * DAY_MS);
    refuseLongRange(from, to, MOST_DAYS);
    const question = { from, to, projectWalletId };
    const sums = await this.store.sumUsage(caller.scope, query.group_by, question, query.limit);
    return { data: sums.map((sum) => ({ key: sum.key, label: sum.label, ...toSums(sum) })) };
  }

  @Get('series')
  @AnyRole()
  @ApiRoute({
    summary: 'Calls, errors, tokens, cost and times of every hour or day, for charts',
    answer: seriesSchema,
  })
  async showSeries(
    @CurrentCaller() caller: Caller,
    @Query({ schema: seriesQuerySchema }) query: SeriesQuery,
  ): Promise<z.output<typeof seriesSchema>> {
    const { bucket, model, channel, token_id: tokenId } = query;
    refuseChannels(caller, 'channel', channel !== undefined);
    const to = query.to ?? new Date();
    const from = query.from ?? new Date(to.getTime() - DEFAULT_DAYS_BY_BUCKET[bucket] * DAY_MS);
    refuseLongRange(from, to, MOST_DAYS_BY_BUCKET[bucket]);
    const projectWalletId = await findProjectWallet(this.store, caller, query.project_id);
    const question = { bucket, from, to, model, channel, tokenId, projectWalletId };
    const points = await this.store.listUsage(caller.scope, question);
    return { data: points.map((point) => ({ at: point.at.toISOString(), ...toSums(point) })) };
  }
}

/** Whether they see the calls of each user of a project. */
function seesUsersOf(caller: Caller, projectId: string | undefined): boolean {
  const access = projectId === undefined ? undefined : findAccess(caller, projectId);
  return access !== undefined && seesAllOf(access);
}

function toSums(sum: UsageTotals) {
  return {
    calls: sum.calls,
    errors: sum.errors,
    client_errors: sum.clientErrors,
    server_errors: sum.serverErrors,
    input_tokens: sum.inputTokens,
    output_tokens: sum.outputTokens,
    cached_input_tokens: sum.cachedInputTokens,
    cost: formatUsd(sum.cost),
    latency_p50_ms: sum.times.latencyP50Ms,
    latency_p95_ms: sum.times.latencyP95Ms,
    ttft_p50_ms: sum.times.ttftP50Ms,
  };
}
