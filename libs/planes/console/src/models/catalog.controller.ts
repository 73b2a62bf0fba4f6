import { ConsoleStore } from '@mg/persistence/console';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { slugSchema } from '@mg/contract';
import { z } from 'zod';
import { ApiRoute } from '../http/api-route.js';
import { listSchema } from '../http/list-schema.js';
import {
  type ListAnswer,
  searchShape,
  slugPageShape,
  toListAnswer,
  toPageRequest,
} from '../http/page-query.js';
import { AnyRole } from '../http/route-access.js';
import { modelSchema } from './model-schemas.js';
import { toModelView } from './model-view.js';

const MOST_SLUGS = 200;
const SLUG = '[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}';
const SLUGS = `^${SLUG}(,${SLUG}){0,${MOST_SLUGS - 1}}$`;

/** What every user may know of a model; who set its price stays with the administrators. */
const catalogModelSchema = modelSchema
  .pick({
    slug: true,
    kind: true,
    state: true,
    max_output_tokens: true,
    context_window: true,
    priced: true,
    price: true,
  })
  .meta({ id: 'CatalogModel' });

const catalogQuerySchema = z.strictObject({
  ...slugPageShape,
  ...searchShape,
  slugs: z
    .string()
    .meta({ pattern: SLUGS })
    .transform((text) => text.split(','))
    .pipe(z.array(slugSchema).max(MOST_SLUGS, `must be ${MOST_SLUGS} slugs at most`))
    .optional()
    .describe('Slugs, separated by commas: these models alone.'),
});

type CatalogQuery = z.output<typeof catalogQuerySchema>;

type CatalogModel = z.output<typeof catalogModelSchema>;

@ApiTags('models')
@Controller('api/v1/catalog')
export class CatalogController {
  constructor(private readonly store: ConsoleStore) {}

  @Get()
  @AnyRole()
  @ApiRoute({
    summary: 'Models that can be called, with the prices in force',
    answer: listSchema(catalogModelSchema),
  })
  async list(@Query({ schema: catalogQuerySchema }) query: CatalogQuery): Promise<ListAnswer<CatalogModel>> {
    const { slugs, search } = query;
    const page = await this.store.models.list(toPageRequest(query), { slugs, search });
    const prices = await this.store.models.findPricesInForce(page.rows.map((row) => row.slug));
    const answer = toListAnswer(page, (row) =>
      catalogModelSchema.parse(toModelView(row, prices.get(row.slug))),
    );
    return { ...answer, data: answer.data.filter((model) => model.state === 'active' && model.priced) };
  }
}
