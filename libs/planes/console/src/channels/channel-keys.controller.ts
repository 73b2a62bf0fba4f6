import { Body, Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { Roles } from '../http/route-access.js';
import {
  type ChannelKey,
  type ChannelKeyPatch,
  channelKeyPatchSchema,
  channelKeySchema,
  channelSchema,
} from './channel-schemas.js';
import { ChannelService } from './channel-service.js';
import type { ShownChannel } from './channel-view.js';
import { ShowChannel } from './show-channel.js';

@ApiTags('channels')
@Controller('api/v1/channels/:id/keys')
export class ChannelKeysController {
  constructor(
    private readonly channels: ChannelService,
    private readonly shown: ShowChannel,
  ) {}

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Add a key to those that calls of a channel take turns at',
    answer: channelSchema,
    status: 201,
  })
  async add(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: channelKeySchema }) { api_key: apiKey }: ChannelKey,
  ): Promise<ShownChannel> {
    await this.channels.addKey(caller, id, apiKey);
    return this.shown.find(id);
  }

  @Patch(':key_id')
  @Roles('administrator')
  @ApiRoute({
    summary: "Disable or enable one of a channel's keys; what was begun with it goes on",
    answer: channelSchema,
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('key_id') ref: string,
    @Body({ schema: channelKeyPatchSchema }) { enabled }: ChannelKeyPatch,
  ): Promise<ShownChannel> {
    await this.channels.enableKey(caller, id, ref, enabled);
    return this.shown.find(id);
  }

  @Delete(':key_id')
  @Roles('administrator')
  @ApiRoute({ summary: "Forget one of a channel's keys", status: 204 })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('key_id') keyId: string,
  ): Promise<void> {
    return this.channels.removeKey(caller, id, keyId);
  }
}
