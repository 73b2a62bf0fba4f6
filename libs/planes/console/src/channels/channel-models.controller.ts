import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { Roles } from '../http/route-access.js';
import {
  type AddModels,
  addModelsSchema,
  type OfferedModels,
  offeredModelsSchema,
} from './channel-model-schemas.js';
import { ChannelModels } from './channel-models.js';
import { channelSchema } from './channel-schemas.js';
import type { ShownChannel } from './channel-view.js';
import { UpstreamCalls } from './upstream-calls.js';
import { ShowChannel } from './show-channel.js';

@ApiTags('channels')
@Controller('api/v1/channels')
export class ChannelModelsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly models: ChannelModels,
    private readonly calls: UpstreamCalls,
    private readonly shown: ShowChannel,
  ) {}

  @Post(':id/discover')
  @Roles('administrator')
  @ApiRoute({
    summary: "Ask a channel's provider which models there are; changes nothing",
    answer: offeredModelsSchema,
  })
  async discover(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<OfferedModels> {
    this.calls.count(caller);
    return this.models.discover(found(await this.store.channels.find(id)));
  }

  @Post(':id/models')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Have a channel serve models; those that there are not are made, with their prices, all or none',
    answer: channelSchema,
  })
  async add(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: addModelsSchema }) body: AddModels,
  ): Promise<ShownChannel> {
    await this.models.add(caller, id, body);
    return this.shown.find(id);
  }
}
