import { ConsoleStore, type SeenPlane } from '@mg/persistence/console';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChannelKeys } from '../channels/channel-keys.js';
import { ApiRoute } from '../http/api-route.js';
import { Roles } from '../http/route-access.js';
import { attemptsQuerySchema, attemptsSchema } from './attempt-schemas.js';
import { type RestingPart, toAttemptsView } from './attempt-view.js';

const MOST_CHANNELS = 1_000;

/** Every attempt counts, also of calls that another channel answered. */
@ApiTags('system')
@Controller('api/v1/system/attempts')
export class AttemptsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({
    summary: 'How attempts at channels went in the last hour and the last 24 hours, by model and key',
    answer: attemptsSchema,
  })
  async show(
    @Query({ schema: attemptsQuerySchema }) { channel_id: channelId }: z.output<typeof attemptsQuerySchema>,
  ): Promise<z.output<typeof attemptsSchema>> {
    const [{ rows }, attempts, planes] = await Promise.all([
      this.store.channels.list({ limit: MOST_CHANNELS, after: undefined }),
      this.store.attemptFigures.list(channelId),
      this.store.system.listPlanes(),
    ]);
    const byChannel = Map.groupBy(attempts, ({ day }) => day.channelId);
    const shown = channelId === undefined ? rows : rows.filter(({ id }) => id === channelId);
    const keyless = await this.keys.findKeyless(this.store, shown);
    return {
      channels: shown.map(({ id, name, enabled }) =>
        toAttemptsView(
          { id, name, enabled: enabled && !keyless.has(id) },
          byChannel.get(id) ?? [],
          listResting(id, planes),
        ),
      ),
    };
  }
}

function listResting(channelId: string, planes: readonly SeenPlane[]): RestingPart[] {
  const now = Date.now();
  return planes
    .filter(({ alive }) => alive)
    .flatMap(({ details }) => details.resting ?? [])
    .filter((rest) => rest.channel_id === channelId && Date.parse(rest.until) > now)
    .map(({ model, key }) => ({ model, key }));
}
