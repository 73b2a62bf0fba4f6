import { Module } from '@nestjs/common';
import { ChannelService } from './channel-service.js';
import { ChannelTest } from './channel-test.js';
import { ChannelTypesController } from './channel-types.controller.js';
import { ChannelsController } from './channels.controller.js';

/** Channels, their types and their tests. */
@Module({
  controllers: [ChannelsController, ChannelTypesController],
  providers: [ChannelService, ChannelTest],
})
export class ChannelsModule {}
