import { ConsoleStore, type ListedSession } from '@mg/persistence/console';
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { recordChange } from '../audit/record-change.js';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Roles } from '../http/route-access.js';

const openSessionSchema = z
  .object({
    id: z.uuid(),
    address: z.string().describe('Network address that it was opened from.'),
    created_at: z.iso.datetime(),
    renewed_at: z.iso.datetime().describe('A page in use renews its session every quarter of an hour.'),
    expires_at: z.iso.datetime(),
    current: z.boolean().describe("Whether it is the caller's own."),
  })
  .meta({ id: 'OpenSession' });

const sessionsSchema = z.object({ data: z.array(openSessionSchema) });

type SessionsAnswer = z.output<typeof sessionsSchema>;

/** Where users are signed in. Whoever ends a session ends it at once, on every console. */
@ApiTags('sessions')
@Controller('api/v1')
export class SessionListsController {
  constructor(private readonly store: ConsoleStore) {}

  @Get('me/sessions')
  @AnyRole()
  @ApiRoute({ summary: "The caller's sessions", answer: sessionsSchema })
  async listOwn(@CurrentCaller() caller: Caller): Promise<SessionsAnswer> {
    return this.#list(caller, caller.id);
  }

  @Delete('me/sessions/:id')
  @AnyRole()
  @ApiRoute({ summary: "End a session of the caller's", status: 204 })
  endOwn(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.#end(caller, caller.id, id);
  }

  @Get('users/:id/sessions')
  @Roles('administrator')
  @ApiRoute({ summary: "A user's sessions", answer: sessionsSchema })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<SessionsAnswer> {
    return this.#list(caller, found(await this.store.users.findById(id)).id);
  }

  @Delete('users/:id/sessions/:session_id')
  @Roles('administrator')
  @ApiRoute({ summary: "End a user's session", status: 204 })
  end(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('session_id', new RowIdPipe()) sessionId: string,
  ): Promise<void> {
    return this.#end(caller, id, sessionId);
  }

  async #list(caller: Caller, userId: string): Promise<SessionsAnswer> {
    const sessions = await this.store.sessions.listOpen(userId);
    return { data: sessions.map((session) => toSessionView(session, caller)) };
  }

  #end(caller: Caller, userId: string, id: string): Promise<void> {
    return this.store.transaction(async (store) => {
      found((await store.sessions.endOf(userId, id)) || undefined);
      await recordChange(store, caller, {
        action: 'session.end',
        targetId: id,
        before: { user_id: userId },
      });
    });
  }
}

function toSessionView(session: ListedSession, caller: Caller): SessionsAnswer['data'][number] {
  return {
    id: session.id,
    address: session.address,
    created_at: session.createdAt.toISOString(),
    renewed_at: session.renewedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    current: session.id === caller.sessionId,
  };
}
