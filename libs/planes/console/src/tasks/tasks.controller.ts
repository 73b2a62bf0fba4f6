import { ConsoleStore } from '@mg/persistence/console';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { findProjectWallet } from '../projects/project-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { type TaskQuery, taskQuerySchema, taskSchema, taskWithHistorySchema } from './task-schemas.js';
import { type TaskView, type TaskWithHistoryView, toTaskView, toTaskWithHistoryView } from './task-view.js';

@ApiTags('tasks')
@Controller('api/v1/tasks')
export class TasksController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @ApiRoute({
    summary: 'Video tasks, newest first unless sorted',
    answer: listSchema(taskSchema),
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: taskQuerySchema }) query: TaskQuery,
  ): Promise<ListAnswer<TaskView>> {
    const { state, model, token_id: tokenId } = query;
    const projectWalletId = await findProjectWallet(this.store, caller, query.project_id);
    const filter = { state, model, tokenId, projectWalletId };
    const page = await this.store.tasks.list(caller.scope, filter, toPageRequest(query), query);
    return toListAnswer(page, (task) => toTaskView(caller, task));
  }

  @Get(':id')
  @AnyRole()
  @ApiRoute({ summary: 'A video task with its history', answer: taskWithHistorySchema })
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<TaskWithHistoryView> {
    const task = found(await this.store.tasks.find(caller.scope, id));
    return toTaskWithHistoryView(caller, task, await this.store.tasks.listEvents(task.id));
  }
}
