import { formatUsd, GatewayError } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { AnyRole } from '../http/route-access.js';
import { ZodPipe } from '../http/zod-pipe.js';
import { usageQuerySchema, usageSchema } from './log-schemas.js';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
const MOST_DAYS = 400;

@ApiTags('usage')
@Controller('api/v1/usage')
export class UsageController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @DescribeRoute({
    summary: 'Calls, tokens and cost by day, model, token or channel',
    query: usageQuerySchema,
    answer: usageSchema,
  })
  async show(
    @CurrentCaller() caller: Caller,
    @Query(new ZodPipe(usageQuerySchema)) query: z.output<typeof usageQuerySchema>,
  ): Promise<z.output<typeof usageSchema>> {
    const now = Date.now();
    // A gateway's clock may run ahead of ours: without a bound of the caller's, its calls of today count too.
    const to = query.to ?? new Date(now + DAY_MS);
    const from = query.from ?? new Date((query.to?.getTime() ?? now) - DEFAULT_DAYS * DAY_MS);
    if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
      throw new GatewayError('invalid_request', `from: must be at most ${MOST_DAYS} days before \`to\`.`, {
        param: 'from',
      });
    }
    const sums = await this.store.sumUsage(caller.scope, query.group_by, from, to);
    return {
      data: sums.map((sum) => ({
        key: sum.key,
        label: sum.label,
        calls: sum.calls,
        errors: sum.errors,
        input_tokens: sum.inputTokens,
        output_tokens: sum.outputTokens,
        cost: formatUsd(sum.cost),
      })),
    };
  }
}
