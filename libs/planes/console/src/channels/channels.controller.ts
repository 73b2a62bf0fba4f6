import { GatewayError, type ProbeOutcome } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { AttemptLimit } from '../auth/attempt-limit.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, pageQuerySchema, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { RowIdPipe, ZodPipe } from '../http/zod-pipe.js';
import {
  channelCreateSchema,
  channelPatchSchema,
  channelSchema,
  channelTestAnswerSchema,
  channelTestSchema,
} from './channel-schemas.js';
import { ChannelKeys } from './channel-keys.js';
import { ChannelService } from './channel-service.js';
import { ChannelTest } from './channel-test.js';
import { type ChannelView, toChannelView } from './channel-view.js';

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
  @DescribeRoute({ summary: 'Channels', query: pageQuerySchema, answer: listSchema(channelSchema) })
  async list(
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<ChannelView>> {
    const page = await this.store.channels.list(toPageRequest(query, z.uuid()));
    const secrets = await this.keys.describe(
      this.store,
      page.rows.map((row) => row.id),
    );
    return toListAnswer(page, (row) => toChannelView(row, secrets.get(row.id)));
  }

  @Post()
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Create a channel',
    body: channelCreateSchema,
    answer: channelSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body(new ZodPipe(channelCreateSchema)) body: z.output<typeof channelCreateSchema>,
  ): Promise<ChannelView> {
    const channel = await this.channels.create(caller, body);
    return this.#show(channel.id);
  }

  @Get(':id')
  @Roles('administrator')
  @DescribeRoute({ summary: 'A channel', answer: channelSchema })
  show(@Param('id', new RowIdPipe()) id: string): Promise<ChannelView> {
    return this.#show(id);
  }

  @Patch(':id')
  @Roles('administrator')
  @DescribeRoute({ summary: 'Change a channel', body: channelPatchSchema, answer: channelSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body(new ZodPipe(channelPatchSchema)) body: z.output<typeof channelPatchSchema>,
  ): Promise<ChannelView> {
    await this.channels.change(caller, id, body);
    return this.#show(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @Roles('administrator')
  @DescribeRoute({ summary: 'Delete a channel with its credentials', status: 204 })
  delete(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.channels.delete(caller, id);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Try a channel with one tiny call to its upstream',
    body: channelTestSchema,
    answer: channelTestAnswerSchema,
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body(new ZodPipe(channelTestSchema)) body: z.output<typeof channelTestSchema>,
  ): Promise<ProbeOutcome> {
    const retryAfter = this.#tests.count(caller.id);
    if (retryAfter !== undefined) {
      throw new GatewayError('rate_limited', `Too many tests: try again in ${retryAfter} s.`, { retryAfter });
    }
    return this.channelTest.run(found(await this.store.channels.find(id)), body.model);
  }

  async #show(id: string): Promise<ChannelView> {
    const channel = found(await this.store.channels.find(id));
    const secrets = await this.keys.describe(this.store, [id]);
    return toChannelView(channel, secrets.get(id));
  }
}
