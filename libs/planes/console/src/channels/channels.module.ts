import { Module } from '@nestjs/common';
import { ChannelKeysController } from './channel-keys.controller.js';
import { ChannelModelsController } from './channel-models.controller.js';
import { ChannelModels } from './channel-models.js';
import { ChannelService } from './channel-service.js';
import { ChannelTest } from './channel-test.js';
import { ChannelTypesController } from './channel-types.controller.js';
import { ChannelsController } from './channels.controller.js';
import { ShowChannel } from './show-channel.js';
import { UpstreamCalls } from './upstream-calls.js';

/** Channels, their types and their tests. */
@Module({
  controllers: [ChannelsController, ChannelKeysController, ChannelModelsController, ChannelTypesController],
  providers: [ChannelService, ChannelTest, ChannelModels, ShowChannel, UpstreamCalls],
})
export class ChannelsModule {}
