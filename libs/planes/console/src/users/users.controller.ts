import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { userSchema } from '../auth/auth-schemas.js';
import { toUserView, type UserView } from '../auth/user-view.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import {
  type UserCreate,
  userCreateSchema,
  type UserPatch,
  userPatchSchema,
  type UserQuery,
  userQuerySchema,
} from './user-schemas.js';
import { UserService } from './user-service.js';

@ApiTags('users')
@Controller('api/v1/users')
export class UsersController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly users: UserService,
  ) {}

  @Get()
  @Roles('administrator')
  @ApiRoute({ summary: 'Users', answer: listSchema(userSchema) })
  async list(@Query({ schema: userQuerySchema }) query: UserQuery): Promise<ListAnswer<UserView>> {
    return toListAnswer(await this.store.users.list(toPageRequest(query), query, query), toUserView);
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Create a user with a wallet of their own',
    answer: userSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: userCreateSchema }) body: UserCreate,
  ): Promise<UserView> {
    return toUserView(await this.users.create(caller, body));
  }

  @Get(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'A user', answer: userSchema })
  async show(@Param('id', new RowIdPipe()) id: string): Promise<UserView> {
    return toUserView(found(await this.store.users.findById(id)));
  }

  @Patch(':id')
  @Roles('administrator')
  @ApiRoute({ summary: 'Change a user', answer: userSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: userPatchSchema }) body: UserPatch,
  ): Promise<UserView> {
    return toUserView(await this.users.change(caller, id, body));
  }
}
