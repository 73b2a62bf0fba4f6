import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import {
  type ChannelCreate,
  channelCreateSchema,
  type ChannelPatch,
  channelPatchSchema,
  type ChannelQuery,
  channelQuerySchema,
  channelSchema,
  channelTestAnswerSchema,
  type ChannelTestRequest,
  channelTestSchema,
} from './channel-schemas.js';
import { ChannelKeys } from './channel-keys.js';
import { ChannelService } from './channel-service.js';
import { ChannelTest, type ChannelTestAnswer } from './channel-test.js';
import { type ShownChannel, toChannelView } from './channel-view.js';
import { ShowChannel } from './show-channel.js';
import { findUncallableModels } from './uncallable-models.js';
import { UpstreamCalls } from './upstream-calls.js';

@ApiTags('channels')
@Controller('api/v1/channels')
export class ChannelsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
    private readonly channels: ChannelService,
    private readonly channelTest: ChannelTest,
    private readonly calls: UpstreamCalls,
    private readonly shown: ShowChannel,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Channels', answer: listSchema(channelSchema) })
  async list(@Query({ schema: channelQuerySchema }) query: ChannelQuery): Promise<ListAnswer<ShownChannel>> {
    const page = await this.store.channels.list(toPageRequest(query), query, query);
    const secrets = await this.keys.describe(
      this.store,
      page.rows.map((row) => row.id),
    );
    const uncallable = await findUncallableModels(this.store, page.rows);
    return toListAnswer(page, (row) => ({
      ...toChannelView(row, secrets.get(row.id)),
      uncallable_models: uncallable(row),
    }));
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Create a channel',
    answer: channelSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: channelCreateSchema }) body: ChannelCreate,
  ): Promise<ShownChannel> {
    const channel = await this.channels.create(caller, body);
    return this.shown.find(channel.id);
  }

  @Get(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'A channel', answer: channelSchema })
  show(@Param('id', new RowIdPipe()) id: string): Promise<ShownChannel> {
    return this.shown.find(id);
  }

  @Patch(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'Change a channel', answer: channelSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: channelPatchSchema }) body: ChannelPatch,
  ): Promise<ShownChannel> {
    await this.channels.change(caller, id, body);
    return this.shown.find(id);
  }

  @Delete(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'Delete a channel with its credentials', status: 204 })
  delete(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.channels.delete(caller, id);
  }

  @Post(':id/test')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Try a channel with one tiny call to its upstream',
    answer: channelTestAnswerSchema,
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: channelTestSchema }) body: ChannelTestRequest,
  ): Promise<ChannelTestAnswer> {
    this.calls.count(caller);
    return this.channelTest.run(found(await this.store.channels.find(id)), body);
  }
}
