import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { sessionSchema } from '../auth/auth-schemas.js';
import type { SessionAnswer } from '../auth/session-tokens.js';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller, CurrentOrigin, type Origin } from '../http/caller.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Public } from '../http/route-access.js';
import {
  type InvitationCreate,
  invitationCreateSchema,
  invitationsSchema,
  type InvitationToken,
  invitationTokenSchema,
  invitationWithTokenSchema,
  type Registration,
  registerSchema,
  shownInvitationSchema,
} from './invitation-schemas.js';
import { InvitationService } from './invitation-service.js';
import {
  type InvitationView,
  type ShownInvitation,
  toInvitationView,
  toShownInvitation,
} from './invitation-view.js';

const joinedSchema = z.object({ project_id: z.uuid() });

@ApiTags('projects')
@Controller('api/v1')
export class InvitationsController {
  constructor(private readonly invitations: InvitationService) {}

  @Get('projects/:id/invitations')
  @AnyRole()
  @ApiRoute({ summary: 'Invitations that are open, 50 at most; for owners', answer: invitationsSchema })
  async list(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<{ readonly data: InvitationView[] }> {
    return { data: (await this.invitations.list(caller, id)).map(toInvitationView) };
  }

  @Post('projects/:id/invitations')
  @AnyRole()
  @ApiRoute({
    summary: 'Invite somebody by a link, which is good once; its secret is in this answer only. For owners',
    answer: invitationWithTokenSchema,
    status: 201,
  })
  create(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: invitationCreateSchema }) body: InvitationCreate,
  ): Promise<InvitationView & { readonly token: string }> {
    return this.invitations.create(caller, id, body);
  }

  @Delete('projects/:id/invitations/:invitation_id')
  @AnyRole()
  @ApiRoute({ summary: 'Take an invitation back that nobody has used; for owners', status: 204 })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('invitation_id', new RowIdPipe()) invitationId: string,
  ): Promise<void> {
    return this.invitations.delete(caller, id, invitationId);
  }

  @Post('invitations/look')
  @Public()
  @ApiRoute({ summary: 'What an invitation is to', answer: shownInvitationSchema })
  async look(
    @Body({ schema: invitationTokenSchema }) { token }: InvitationToken,
    @CurrentOrigin() origin: Origin,
  ): Promise<ShownInvitation> {
    return toShownInvitation(await this.invitations.look(token, origin));
  }

  @Post('invitations/accept')
  @AnyRole()
  @ApiRoute({ summary: 'Join the project of an invitation', answer: joinedSchema })
  async accept(
    @CurrentCaller() caller: Caller,
    @Body({ schema: invitationTokenSchema }) { token }: InvitationToken,
  ): Promise<z.output<typeof joinedSchema>> {
    return { project_id: await this.invitations.accept(caller, token) };
  }

  @Post('invitations/register')
  @Public()
  @ApiRoute({
    summary: 'Become a user by an invitation: joins its project and opens a session',
    answer: sessionSchema,
    status: 201,
  })
  register(
    @Body({ schema: registerSchema }) body: Registration,
    @CurrentOrigin() origin: Origin,
  ): Promise<SessionAnswer> {
    return this.invitations.register(body, origin);
  }
}
