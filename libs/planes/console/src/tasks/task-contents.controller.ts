import { refuse } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence/console';
import { readRangeWish, sendFile } from '@mg/runtime';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CallerFinder } from '../auth/caller-finder.js';
import { SessionTokens } from '../auth/session-tokens.js';
import { ApiDownload, ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller, toOrigin } from '../http/caller.js';
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
    private readonly sessions: SessionTokens,
    private readonly callers: CallerFinder,
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
    if (task.state !== 'succeeded') throw refuse('not_found', 'no_video');
    const { id: userId, sessionId, tokenVersion } = caller;
    const { token, expiresAt } = await this.sessions.signVideo({
      userId,
      sessionId,
      tokenVersion,
      taskId: task.id,
    });
    return {
      url: `/api/v1/finished-videos/${task.publicId}?token=${token}`,
      expires_at: expiresAt.toISOString(),
    };
  }

  /** A player sends no session: the link has one, which is asked for at each use, as is whether its user may see the task. */
  @Get('finished-videos/:public_id')
  @Public()
  @ApiDownload('The video of a task, whole or in ranges, by a link', 'video/mp4')
  async play(
    @Param('public_id') publicId: string,
    @Query({ schema: linkQuerySchema }) { token = '' }: LinkQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const claim = await this.sessions.readVideo(token);
    const caller = claim && (await this.callers.find(claim, toOrigin(request)));
    const task = caller && (await this.store.tasks.find(caller.scope, claim.taskId));
    if (!task || task.publicId !== publicId) {
      throw refuse('unauthenticated', 'video_link_over');
    }
    const file = await this.contents.open({ publicId, userId: caller.id }, readRangeWish(request));
    await sendFile(file, reply);
  }
}
