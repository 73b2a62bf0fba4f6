import * as z from 'zod/mini';
import type { Model } from '../../api/console-api.js';
import { duration, orNothing, slugs } from '../../forms/texts.js';

export const STRATEGIES = [
  'priority',
  'latency',
  'busy',
  'cost',
] as const satisfies readonly Model['routing'][];
export const FALLBACK_CAUSES = [
  'failure',
  'context',
  'refusal',
] as const satisfies readonly Model['fallback_on'][number][];

/** How calls of a model are routed, as it is written in a form. */
export const routingSchemas = {
  routing: z.enum(STRATEGIES),
  sticky: z.boolean(),
  hedge: z.boolean(),
  fallback: slugs([]),
  // None says nothing: the API has a default.
  fallback_on: z.pipe(
    z.array(z.enum(FALLBACK_CAUSES)),
    z.transform((causes) => (causes.length === 0 ? undefined : causes)),
  ),
  first_token_timeout: orNothing(duration, null),
};

export type RoutingTexts = { [Name in keyof typeof routingSchemas]: z.input<(typeof routingSchemas)[Name]> };

export function toRoutingTexts(model: Model): RoutingTexts {
  return {
    routing: model.routing,
    sticky: model.sticky,
    hedge: model.hedge,
    fallback: model.fallback.join(', '),
    fallback_on: [...model.fallback_on],
    first_token_timeout: model.first_token_timeout ?? '',
  };
}
