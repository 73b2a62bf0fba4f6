import { Module } from '@nestjs/common';
import { ClaimedProjects } from './claimed-projects.js';
import { MemberService } from './member-service.js';
import { ProjectService } from './project-service.js';
import { ProjectsController } from './projects.controller.js';

/** Projects, and who is in them. */
@Module({
  controllers: [ProjectsController],
  providers: [ProjectService, MemberService, ClaimedProjects],
  exports: [ClaimedProjects],
})
export class ProjectsModule {}
