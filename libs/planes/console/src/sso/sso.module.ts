import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { UsersModule } from '../users/users.module.js';
import { SsoController } from './sso.controller.js';
import { SsoLinkController } from './sso-link.controller.js';
import { SsoService } from './sso-service.js';
import { SsoUsers } from './sso-users.js';

/** Single sign-on through OpenID Connect. */
@Module({
  imports: [AuthModule, ProjectsModule, UsersModule],
  controllers: [SsoController, SsoLinkController],
  providers: [SsoService, SsoUsers],
})
export class SsoModule {}
