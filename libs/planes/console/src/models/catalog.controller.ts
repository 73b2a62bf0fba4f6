import { ConsoleStore } from '@mg/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { slugSchema } from '@mg/contract';
import type { z } from 'zod';
import { DescribeRoute } from '../http/describe-route.js';
import { listSchema } from '../http/list-schema.js';
import { type ListAnswer, pageQuerySchema, toListAnswer, toPageRequest } from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { ZodPipe } from '../http/zod-pipe.js';
import { modelSchema } from './model-schemas.js';
import { toModelView } from './model-view.js';

/** What every user may know of a model; who set its price stays with the administrators. */
const catalogModelSchema = modelSchema.pick({
  slug: true,
  kind: true,
  state: true,
  max_output_tokens: true,
  context_window: true,
  priced: true,
  price: true,
});

type CatalogModel = z.output<typeof catalogModelSchema>;

@ApiTags('models')
@Controller('api/v1/catalog')
export class CatalogController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @DescribeRoute({
    summary: 'Models that can be called, with the prices in force',
    query: pageQuerySchema,
    answer: listSchema(catalogModelSchema),
  })
  async list(
    @Query(new ZodPipe(pageQuerySchema)) query: z.output<typeof pageQuerySchema>,
  ): Promise<ListAnswer<CatalogModel>> {
    const page = await this.store.models.list(toPageRequest(query, slugSchema));
    const prices = await this.store.models.findPricesInForce(page.rows.map((row) => row.slug));
    const answer = toListAnswer(page, (row) =>
      catalogModelSchema.parse(toModelView(row, prices.get(row.slug))),
    );
    return { ...answer, data: answer.data.filter((model) => model.state === 'active' && model.priced) };
  }
}
