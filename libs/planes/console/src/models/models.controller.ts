import { slugSchema } from '@mg/contract';
import { ConsoleStore, MODEL_SORTS } from '@mg/persistence/console';
import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { ApiRoute } from '../http/api-route.js';
import { found } from '../http/found.js';
import { listSchema } from '../http/list-schema.js';
import {
  FOREIGN_CURSOR,
  hasOwnCursor,
  type ListAnswer,
  namesOf,
  searchShape,
  slugPageShape,
  sortedShape,
  toListAnswer,
  toPageRequest,
} from '../http/page-query.js';
import { Roles } from '../http/route-access.js';
import { SlugPipe } from '../http/path-pipes.js';
import {
  type ModelCreate,
  modelCreateSchema,
  type ModelPatch,
  modelPatchSchema,
  modelSchema,
  modelWithPricesSchema,
} from './model-schemas.js';
import { ModelService } from './model-service.js';
import {
  type ModelView,
  type ModelWithPricesView,
  toModelView,
  toModelWithPricesView,
} from './model-view.js';

const modelQuerySchema = z
  .strictObject({
    ...slugPageShape,
    ...searchShape,
    ...sortedShape('asc'),
    sort: z.enum(namesOf(MODEL_SORTS)).default('slug'),
  })
  .refine(hasOwnCursor(MODEL_SORTS, slugSchema), FOREIGN_CURSOR);

type ModelQuery = z.output<typeof modelQuerySchema>;

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
  @ApiRoute({
    summary: 'Models with the prices in force',
    answer: listSchema(modelSchema),
  })
  async list(@Query({ schema: modelQuerySchema }) query: ModelQuery): Promise<ListAnswer<ModelView>> {
    const page = await this.store.models.list(toPageRequest(query), query);
    const prices = await this.store.models.findPricesInForce(page.rows.map((row) => row.slug));
    return toListAnswer(page, (row) => toModelView(row, prices.get(row.slug)));
  }

  @Post()
  @Roles('administrator')
  @ApiRoute({
    summary: 'Create a model',
    answer: modelWithPricesSchema,
    status: 201,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: modelCreateSchema }) body: ModelCreate,
  ): Promise<ModelWithPricesView> {
    await this.models.create(caller, body);
    return this.#show(body.slug);
  }

  @Get('*')
  @Roles('administrator')
  @ApiParam({ name: 'path', type: String, description: 'The slug; it may hold slashes.' })
  @ApiRoute({ summary: 'A model with all its prices', answer: modelWithPricesSchema })
  show(@Param('*', new SlugPipe()) slug: string): Promise<ModelWithPricesView> {
    return this.#show(slug);
  }

  @Patch('*')
  @Roles('administrator')
  @ApiParam({ name: 'path', type: String, description: 'The slug; it may hold slashes.' })
  @ApiRoute({
    summary: 'Change a model; a changed price starts a new price version',
    answer: modelWithPricesSchema,
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('*', new SlugPipe()) slug: string,
    @Body({ schema: modelPatchSchema }) body: ModelPatch,
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
