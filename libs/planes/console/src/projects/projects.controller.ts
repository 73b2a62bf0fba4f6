import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiRoute } from '../http/api-route.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import {
  type ListAnswer,
  type PickQuery,
  pickQuerySchema,
  toListAnswer,
  toPageRequest,
} from '../http/page-query.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { AnyRole, Roles } from '../http/route-access.js';
import { MemberService } from './member-service.js';
import { findSeenProject, seesAllOf } from './project-access.js';
import {
  memberSchema,
  type MemberSet,
  memberSetSchema,
  membersSchema,
  type ProjectCreate,
  projectCreateSchema,
  type ProjectGroups,
  projectGroupsSchema,
  type ProjectPatch,
  projectPatchSchema,
  projectSchema,
} from './project-schemas.js';
import { ProjectService } from './project-service.js';
import { type MemberView, type ProjectView, toMemberView, toProjectView } from './project-view.js';

@ApiTags('projects')
@Controller('api/v1/projects')
export class ProjectsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly projects: ProjectService,
    private readonly members: MemberService,
  ) {}

  @Get()
  @AnyRole()
  @ApiRoute({
    summary: 'Projects that the caller is in; all for administrators',
    answer: listSchema(projectSchema),
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: pickQuerySchema }) query: PickQuery,
  ): Promise<ListAnswer<ProjectView>> {
    const page = await this.store.projects.list(caller.scope, caller.id, toPageRequest(query), query);
    return toListAnswer(page, toProjectView);
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Create a project with a wallet of its own, or one that there is',
    answer: projectSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: projectCreateSchema }) body: ProjectCreate,
  ): Promise<ProjectView> {
    return this.#show(caller, (await this.projects.create(caller, body)).id);
  }

  @Get(':id')
  @AnyRole()
  @ApiRoute({ summary: 'A project', answer: projectSchema })
  show(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<ProjectView> {
    return this.#show(caller, id);
  }

  @Patch(':id')
  @AnyRole()
  @ApiRoute({ summary: 'Rename a project; for its owners', answer: projectSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: projectPatchSchema }) body: ProjectPatch,
  ): Promise<ProjectView> {
    await this.projects.change(caller, id, body);
    return this.#show(caller, id);
  }

  @Delete(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'End a project: its keys are disabled, its wallet stays', status: 204 })
  delete(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.projects.delete(caller, id);
  }

  @Get(':id/groups')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Values of the claim of single sign-on that let into a project',
    answer: projectGroupsSchema,
  })
  async listGroups(@Param('id', new RowIdPipe()) id: string): Promise<ProjectGroups> {
    const project = found(await this.store.projects.find(id));
    return { data: await this.store.projectGroups.list(project.id) };
  }

  @Put(':id/groups')
  @Roles('administrator')
  @ApiRoute({
    summary: 'Replace the values of the claim that let into a project, from the next sign-in on',
    answer: projectGroupsSchema,
  })
  async setGroups(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: projectGroupsSchema }) { data }: ProjectGroups,
  ): Promise<ProjectGroups> {
    await this.projects.setGroups(caller, id, data);
    return { data: await this.store.projectGroups.list(id) };
  }

  @Get(':id/members')
  @AnyRole()
  @ApiRoute({
    summary: 'Who is in a project, 200 at most; members see themselves alone',
    answer: membersSchema,
  })
  async listMembers(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<{ readonly data: MemberView[] }> {
    const { project, access } = await findSeenProject(this.store, caller, id);
    const members = await this.store.projects.listMembers(
      project.id,
      seesAllOf(access) ? undefined : caller.id,
    );
    return { data: members.map(toMemberView) };
  }

  @Put(':id/members/:user_id')
  @AnyRole()
  @ApiRoute({
    summary: 'Give a member another role; administrators let anybody in. For owners of the project',
    answer: memberSchema,
  })
  async setMember(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('user_id', new RowIdPipe()) userId: string,
    @Body({ schema: memberSetSchema }) { role }: MemberSet,
  ): Promise<MemberView> {
    return toMemberView(await this.members.set(caller, id, userId, role));
  }

  @Delete(':id/members/:user_id')
  @AnyRole()
  @ApiRoute({
    summary: 'Take a member out, whose keys there are disabled; for owners of the project, and for oneself',
    status: 204,
  })
  removeMember(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Param('user_id', new RowIdPipe()) userId: string,
  ): Promise<void> {
    return this.members.remove(caller, id, userId);
  }

  async #show(caller: Caller, id: string): Promise<ProjectView> {
    const page = { limit: 1, after: undefined };
    const { rows } = await this.store.projects.list(caller.scope, caller.id, page, { ids: [id] });
    return toProjectView(found(rows[0]));
  }
}
