import { formatUsd } from '@mg/contract';
import {
  type Backlog,
  type ChannelAttempts,
  type ChannelRow,
  ConsoleStore,
  type OpenHolds,
  type SeenPlane,
} from '@mg/persistence/console';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChannelKeys } from '../channels/channel-keys.js';
import { ApiRoute } from '../http/api-route.js';
import { Roles } from '../http/route-access.js';
import { deriveChannelState } from './channel-state.js';
import { systemSchema } from './system-schemas.js';

type SystemView = z.output<typeof systemSchema>;

const MOST_CHANNELS = 1_000;
const NO_ATTEMPTS = { served: 0, failed: 0 };

@ApiTags('system')
@Controller('api/v1/system')
export class SystemController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Planes, open holds, backlogs, ledger drift and the health of channels',
    answer: systemSchema,
  })
  async show(): Promise<SystemView> {
    const { system } = this.store;
    const [planes, holds, journal, webhooks, tasks, channels, attempts] = await Promise.all([
      system.listPlanes(),
      system.totalOpenHolds(),
      system.findJournalBacklog(),
      system.findWebhookBacklog(),
      system.countOpenTasks(),
      this.store.channels.list({ limit: MOST_CHANNELS, after: undefined }),
      this.store.countChannelAttempts(),
    ]);
    const keyless = await this.keys.findKeyless(this.store, channels.rows);
    return {
      planes: planes.map(toPlaneView),
      open_holds: holds.map(toHoldsView),
      journal: toBacklogView(journal),
      drift_rows: findDrift(planes),
      tasks: Object.fromEntries(tasks),
      webhooks: toBacklogView(webhooks),
      channels: channels.rows.map((channel) =>
        toHealthView(channel, planes, {
          attempts: attempts.get(channel.name),
          hasKey: !keyless.has(channel.id),
        }),
      ),
    };
  }
}

function toPlaneView(plane: SeenPlane): SystemView['planes'][number] {
  return {
    plane: plane.plane,
    instance: plane.instance,
    version: plane.version,
    started_at: plane.startedAt.toISOString(),
    seen_at: plane.seenAt.toISOString(),
    alive: plane.alive,
  };
}

function toHoldsView({ kind, amount, ...backlog }: OpenHolds): SystemView['open_holds'][number] {
  return { kind, amount: formatUsd(amount), ...toBacklogView(backlog) };
}

function toBacklogView({ count, oldestSeconds }: Backlog): SystemView['journal'] {
  return { count, oldest_seconds: oldestSeconds };
}

function findDrift(planes: readonly SeenPlane[]): number | null {
  const reported = planes.flatMap((plane) => (plane.alive ? (plane.details.drift_rows ?? []) : []));
  return reported.length === 0 ? null : Math.max(...reported);
}

function toHealthView(
  channel: ChannelRow,
  planes: readonly SeenPlane[],
  { attempts, hasKey }: { readonly attempts: ChannelAttempts | undefined; readonly hasKey: boolean },
): SystemView['channels'][number] {
  const now = Date.now();
  const resting = planes
    .filter((plane) => plane.alive)
    .flatMap(({ plane, instance, details }) =>
      (details.resting ?? [])
        .filter((rest) => rest.channel_id === channel.id && Date.parse(rest.until) > now)
        .map(({ model, until, failures, key = null, reason = null }) => ({
          instance: `${plane}/${instance}`,
          model,
          until,
          failures,
          key,
          reason,
        })),
    );
  // A key that rests is left out alone.
  const isResting = resting.some(({ key }) => key === null);
  return {
    id: channel.id,
    name: channel.name,
    enabled: channel.enabled,
    has_key: hasKey,
    healthy: !isResting,
    state: deriveChannelState({ enabled: channel.enabled && hasKey, isResting, attempts }),
    attempts: { hour: attempts?.hour ?? NO_ATTEMPTS, day: attempts?.day ?? NO_ATTEMPTS },
    last_failure: attempts?.lastFailure
      ? { ...attempts.lastFailure, at: attempts.lastFailure.at.toISOString() }
      : null,
    resting,
  };
}
