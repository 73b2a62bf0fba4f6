import { ConsoleStore } from '@mg/persistence/console';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { RowIdPipe } from '../http/path-pipes.js';
import { findProjectWallet } from '../projects/project-access.js';
import {
  type Rotation,
  rotationSchema,
  type TokenCreate,
  tokenCreateSchema,
  type TokenPatch,
  tokenPatchSchema,
  type TokenQuery,
  tokenQuerySchema,
  tokenSchema,
  tokenWithKeySchema,
} from './token-schemas.js';
import { TokenService } from './token-service.js';
import { toTokenView, type TokenView } from './token-view.js';

@ApiTags('tokens')
@Controller('api/v1/tokens')
export class TokensController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly tokens: TokenService,
  ) {}

  @Get()
  @AnyRole()
  @ApiRoute({ summary: 'API keys', answer: listSchema(tokenSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: tokenQuerySchema }) query: TokenQuery,
  ): Promise<ListAnswer<TokenView>> {
    const projectWalletId = await findProjectWallet(this.store, caller, query.project_id);
    const choice = { search: query.search, ids: query.ids, userId: query.user_id, projectWalletId };
    const page = await this.store.tokens.list(caller.scope, toPageRequest(query), choice, query);
    return toListAnswer(page, toTokenView);
  }

  @Post()
  @AnyRole()
  @ApiRoute({
    summary: 'Create an API key; its text is in this answer only',
    answer: tokenWithKeySchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: tokenCreateSchema }) body: TokenCreate,
  ): Promise<TokenView & { key: string }> {
    const { token, key } = await this.tokens.create(caller, body);
    return { ...toTokenView(token), key };
  }

  @Get(':id')
  @AnyRole()
  @ApiRoute({ summary: 'An API key', answer: tokenSchema })
  async show(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<TokenView> {
    return toTokenView(found(await this.store.tokens.find(caller.scope, id)));
  }

  @Patch(':id')
  @AnyRole()
  @ApiRoute({ summary: 'Change an API key', answer: tokenSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: tokenPatchSchema }) body: TokenPatch,
  ): Promise<TokenView> {
    return toTokenView(await this.tokens.change(caller, id, body));
  }

  @Post(':id/rotate')
  @AnyRole()
  @ApiRoute({
    summary: 'Give a token a new key; the old one stops at once, or after a grace period',
    answer: tokenWithKeySchema,
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body({ schema: rotationSchema }) body: Rotation,
  ): Promise<TokenView & { key: string }> {
    const { token, key } = await this.tokens.rotate(caller, id, body);
    return { ...toTokenView(token), key };
  }

  @Delete(':id')
  @AnyRole()
  @ApiRoute({ summary: 'Delete an API key; it stops at once', status: 204 })
  delete(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.tokens.delete(caller, id);
  }
}
