import { GatewayError, type ProbeOutcome } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AttemptLimit } from '../auth/attempt-limit.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import {
  type ListAnswer,
  type PageQuery,
  pageQuerySchema,
  toListAnswer,
  toPageRequest,
} from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import {
  type ChannelCreate,
  channelCreateSchema,
  type ChannelPatch,
  channelPatchSchema,
  channelSchema,
  channelTestAnswerSchema,
  type ChannelTestRequest,
  channelTestSchema,
} from './channel-schemas.js';
import { ChannelKeys } from './channel-keys.js';
import { ChannelService } from './channel-service.js';
import { ChannelTest } from './channel-test.js';
import { type ShownChannel, toChannelView } from './channel-view.js';
import { findUncallableModels } from './uncallable-models.js';

const TESTS_PER_MINUTE = { attempts: 30, windowMs: 60_000 };

@ApiTags('channels')
@Controller('api/v1/channels')
export class ChannelsController {
  readonly #tests = new AttemptLimit(TESTS_PER_MINUTE);

  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
    private readonly channels: ChannelService,
    private readonly channelTest: ChannelTest,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Channels', answer: listSchema(channelSchema) })
  async list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<ListAnswer<ShownChannel>> {
    const page = await this.store.channels.list(toPageRequest(query, z.uuid()));
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
    return this.#show(channel.id);
  }

  @Get(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'A channel', answer: channelSchema })
  show(@Param('id', new RowIdPipe()) id: string): Promise<ShownChannel> {
    return this.#show(id);
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
    return this.#show(id);
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
  ): Promise<ProbeOutcome> {
    const retryAfter = this.#tests.count(caller.id);
    if (retryAfter !== undefined) {
      throw new GatewayError('rate_limited', `Too many tests: try again in ${retryAfter} s.`, { retryAfter });
    }
    return this.channelTest.run(found(await this.store.channels.find(id)), body.model);
  }

  async #show(id: string): Promise<ShownChannel> {
    const channel = found(await this.store.channels.find(id));
    const secrets = await this.keys.describe(this.store, [id]);
    const uncallable = await findUncallableModels(this.store, [channel]);
    return { ...toChannelView(channel, secrets.get(id)), uncallable_models: uncallable(channel) };
  }
}
