import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UsersModule } from '../users/users.module.js';
import { InvitationService } from './invitation-service.js';
import { InvitationsController } from './invitations.controller.js';

/** Links that let people into projects. */
@Module({
  imports: [AuthModule, UsersModule],
  controllers: [InvitationsController],
  providers: [InvitationService],
})
export class InvitationsModule {}
