import { omitUndefined } from '@mg/contract';
import type { ExchangeParts, ReplyWithUsage } from '../exchange/create-exchange.js';
import type { ExchangeOperation } from '../exchange/exchange.js';
import type { ImageRequest } from './image.js';
import { boundImageUsage, estimateImageUsage, listPriceVariants, readOpenVariant } from './image-usage.js';

const OPERATIONS = {
  generate: 'image-generation',
  edit: 'image-edit',
  vary: 'image-variation',
} as const satisfies Record<ImageRequest['task'], ExchangeOperation>;

/** What an exchange of images is, whatever protocol its request came in. */
export function describeImageExchange<Request extends ImageRequest>(request: Request) {
  const openVariant = readOpenVariant(request);
  return {
    operation: OPERATIONS[request.task],
    kind: 'image',
    model: request.model,
    stream: request.stream,
    bound: boundImageUsage(request),
    priceVariants: listPriceVariants(request),
    ...omitUndefined({ openVariant }),
    estimate: estimateImageUsage(request),
    promptTexts: [],
    body: request.body,
    request,
  } satisfies Partial<ExchangeParts<Request, ReplyWithUsage>>;
}
