import { GatewayError } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { readRangeWish, sendFile } from '@mg/runtime';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiDownload, ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Public } from '../http/route-access.js';
import { TaskContents } from './task-contents.js';
import { contentLinkSchema, type LinkQuery, linkQuerySchema } from './task-schemas.js';

@ApiTags('tasks')
@Controller('api/v1')
export class TaskContentsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly contents: TaskContents,
  ) {}

  @Get('tasks/:id/content')
  @AnyRole()
  @ApiRoute({ summary: 'A link to the video of a task that succeeded', answer: contentLinkSchema })
  async link(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<z.output<typeof contentLinkSchema>> {
    const task = found(await this.store.tasks.find(caller.scope, id));
    if (task.state !== 'succeeded') throw new GatewayError('not_found', 'The task has made no video.');
    const { url, expiresAt } = this.contents.link(task.publicId);
    return { url, expires_at: expiresAt.toISOString() };
  }

  @Get('finished-videos/:public_id')
  @Public()
  @ApiDownload('The video of a task, whole or in ranges, by a link', 'video/mp4')
  async play(
    @Param('public_id') publicId: string,
    @Query({ schema: linkQuerySchema }) query: LinkQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.contents.open(publicId, query, readRangeWish(request));
    await sendFile(file, reply);
  }
}
