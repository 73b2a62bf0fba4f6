import { ConsoleStore } from '@mg/persistence';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, pageQuerySchema, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { RowIdPipe, ZodPipe } from '../http/zod-pipe.js';
import { tokenCreateSchema, tokenPatchSchema, tokenSchema, tokenWithKeySchema } from './token-schemas.js';
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
  @DescribeRoute({ summary: 'API keys', query: pageQuerySchema, answer: listSchema(tokenSchema) })
  async list(
    @CurrentCaller() caller: Caller,
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<TokenView>> {
    const page = await this.store.tokens.list(caller.scope, toPageRequest(query, z.uuid()));
    return toListAnswer(page, toTokenView);
  }

  @Post()
  @AnyRole()
  @DescribeRoute({
    summary: 'Create an API key; its text is in this answer only',
    body: tokenCreateSchema,
    answer: tokenWithKeySchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body(new ZodPipe(tokenCreateSchema)) body: z.output<typeof tokenCreateSchema>,
  ): Promise<TokenView & { key: string }> {
    const { token, key } = await this.tokens.create(caller, body);
    return { ...toTokenView(token), key };
  }

  @Get(':id')
  @AnyRole()
  @DescribeRoute({ summary: 'An API key', answer: tokenSchema })
  async show(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<TokenView> {
    return toTokenView(found(await this.store.tokens.find(caller.scope, id)));
  }

  @Patch(':id')
  @AnyRole()
  @DescribeRoute({ summary: 'Change an API key', body: tokenPatchSchema, answer: tokenSchema })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
    @Body(new ZodPipe(tokenPatchSchema)) body: z.output<typeof tokenPatchSchema>,
  ): Promise<TokenView> {
    return toTokenView(await this.tokens.change(caller, id, body));
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @AnyRole()
  @DescribeRoute({
    summary: 'Give a token a new key; the old one stops at once',
    answer: tokenWithKeySchema,
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('id', new RowIdPipe()) id: string,
  ): Promise<TokenView & { key: string }> {
    const { token, key } = await this.tokens.rotate(caller, id);
    return { ...toTokenView(token), key };
  }

  @Delete(':id')
  @HttpCode(204)
  @AnyRole()
  @DescribeRoute({ summary: 'Delete an API key; it stops at once', status: 204 })
  delete(@CurrentCaller() caller: Caller, @Param('id', new RowIdPipe()) id: string): Promise<void> {
    return this.tokens.delete(caller, id);
  }
}
