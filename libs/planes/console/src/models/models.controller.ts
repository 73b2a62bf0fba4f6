import { slugSchema } from '@mg/contract';
import { ConsoleStore } from '@mg/persistence';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { DescribeRoute } from '../http/describe-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, pageQuerySchema, toListAnswer, toPageRequest } from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { SlugPipe, ZodPipe } from '../http/zod-pipe.js';
import { modelCreateSchema, modelPatchSchema, modelSchema, modelWithPricesSchema } from './model-schemas.js';
import { ModelService } from './model-service.js';
import {
  type ModelView,
  type ModelWithPricesView,
  toModelView,
  toModelWithPricesView,
} from './model-view.js';

/** Slugs may hold slashes, so that a slug is the rest of the path, encoded or not. */
@ApiTags('models')
@Controller('api/v1/models')
export class ModelsController {
  constructor(
    private readonly store: ConsoleStore,
    private readonly models: ModelService,
  ) {}

  @Get()
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Models with the prices in force',
    query: pageQuerySchema,
    answer: listSchema(modelSchema),
  })
  async list(
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<ModelView>> {
    const page = await this.store.models.list(toPageRequest(query, slugSchema));
    const prices = await this.store.models.findPricesInForce(page.rows.map((row) => row.slug));
    return toListAnswer(page, (row) => toModelView(row, prices.get(row.slug)));
  }

  @Post()
  @Roles('administrator')
  @DescribeRoute({
    summary: 'Create a model',
    body: modelCreateSchema,
    answer: modelWithPricesSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body(new ZodPipe(modelCreateSchema)) body: z.output<typeof modelCreateSchema>,
  ): Promise<ModelWithPricesView> {
    await this.models.create(caller, body);
    return this.#show(body.slug);
  }

  @Get('*')
  @Roles('administrator')
  @ApiParam({ name: 'path', type: String, description: 'The slug; it may hold slashes.' })
  @DescribeRoute({ summary: 'A model with all its prices', answer: modelWithPricesSchema })
  show(@Param('*', new SlugPipe()) slug: string): Promise<ModelWithPricesView> {
    return this.#show(slug);
  }

  @Patch('*')
  @Roles('administrator')
  @ApiParam({ name: 'path', type: String, description: 'The slug; it may hold slashes.' })
  @DescribeRoute({
    summary: 'Change a model; a changed price starts a new price version',
    body: modelPatchSchema,
    answer: modelWithPricesSchema,
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('*', new SlugPipe()) slug: string,
    @Body(new ZodPipe(modelPatchSchema)) body: z.output<typeof modelPatchSchema>,
  ): Promise<ModelWithPricesView> {
    await this.models.change(caller, slug, body);
    return this.#show(slug);
  }

  async #show(slug: string): Promise<ModelWithPricesView> {
    const model = found(await this.store.models.find(slug));
    const [inForce, prices] = await Promise.all([
      this.store.models.findPricesInForce([slug]),
      this.store.models.listPrices(slug),
    ]);
    return toModelWithPricesView(model, inForce.get(slug), prices);
  }
}
