import {
  type CallerToken,
  type Catalog,
  type FallbackCause,
  GatewayError,
  MAX_FALLBACKS,
  type Model,
  omitUndefined,
} from '@mg/contract';
import type { Plan } from '@mg/routing';
import type { FastifyRequest } from 'fastify';
import { findModel } from './find-model.js';
import type { GatewayContext } from './gateway-context.js';
import type { OperationFacts } from './operation.js';
import { planCall, type RoutedRequest } from './plan-call.js';

/** A model that a call may go to, and its channels in their order. */
export interface Candidate {
  readonly model: Model;
  readonly plan: Plan;
}

/** Where a call may go: the model that was asked for, and others for when that one does not answer. */
export interface Route {
  /** In the order to try; never empty, and each has channels. */
  readonly candidates: readonly [Candidate, ...Candidate[]];
  readonly fallbackOn: ReadonlySet<FallbackCause>;
  /** Why the model that was asked for cannot be tried at all. */
  readonly unserved?: GatewayError | undefined;
}

const HEADER = 'x-gateway-fallback';
const NEVER: ReadonlySet<FallbackCause> = new Set();
const ON_FAILURE: readonly FallbackCause[] = ['failure'];

/**
 * The models that a call may go to: the one that was asked for, then those that its caller names, or else those that the
 * operator named for it. What the operator named is left out where the caller may not use it.
 *
 * @throws GatewayError `upstream_unavailable` when no channel can be tried; `invalid_request` or `model_not_allowed` for a
 * model that the caller names.
 */
export function routeCall(
  operation: Pick<
    OperationFacts<never>,
    'kind' | 'stream' | 'conversation' | 'pinned' | 'heldBy' | 'isBound'
  >,
  model: Model,
  { headers }: Pick<FastifyRequest, 'headers'>,
  caller: CallerToken,
  gateway: GatewayContext,
): Route {
  const named = headers[HEADER];
  const request: RoutedRequest = {
    stream: operation.stream,
    walletId: caller.walletId,
    pinned: operation.pinned,
    heldBy: operation.heldBy,
    ...omitUndefined({
      conversation: operation.conversation ? () => operation.conversation?.() ?? '' : undefined,
    }),
  };
  if (named !== undefined && operation.isBound) throw refuse('cannot be used with cached contents');
  if (operation.isBound || (named === undefined && !model.fallback)) {
    return { candidates: [{ model, plan: planCall(model.slug, gateway, request) }], fallbackOn: NEVER };
  }
  const catalog = gateway.catalog();
  const others =
    named === undefined
      ? listConfigured(model, caller, catalog)
      : readNamed(String(named)).map((slug) => findNamed(catalog, caller, slug, operation));
  const fallbackOn = new Set(model.fallbackOn ?? ON_FAILURE);
  return planModels([model, ...others], fallbackOn, request, gateway);
}

/** @throws GatewayError `invalid_request` for a call that has no other models to go to. */
export function refuseFallbacks({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers[HEADER] !== undefined) throw refuse('is for calls that are answered at once, not for videos');
}

function planModels(
  models: readonly Model[],
  fallbackOn: ReadonlySet<FallbackCause>,
  request: RoutedRequest,
  gateway: GatewayContext,
): Route {
  const candidates: Candidate[] = [];
  let unserved: GatewayError | undefined;
  for (const one of new Set(models)) {
    try {
      candidates.push({ model: one, plan: planCall(one.slug, gateway, request) });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (one !== models[0]) continue;
      if (!fallbackOn.has('failure')) throw error;
      unserved = error;
    }
  }
  const [first, ...rest] = candidates;
  if (!first) throw unserved ?? new GatewayError('upstream_unavailable', 'No channel could be tried.');
  return { candidates: [first, ...rest], fallbackOn, unserved };
}

/** Those that there are, are of the same kind, and that the key may use. */
function listConfigured(
  { kind, fallback = [] }: Model,
  { allowedModels }: CallerToken,
  catalog: Catalog,
): Model[] {
  return fallback
    .map((slug) => catalog.models.get(slug))
    .filter((other) => other !== undefined)
    .filter((other) => other.kind === kind && (allowedModels?.has(other.slug) ?? true));
}

function readNamed(header: string): string[] {
  const slugs = header.split(',').map((slug) => slug.trim());
  if (slugs.includes('')) throw refuse('must be names of models, with commas between them');
  if (slugs.length > MAX_FALLBACKS) throw refuse(`must name at most ${MAX_FALLBACKS} models`);
  return slugs;
}

function findNamed(
  catalog: Catalog,
  caller: CallerToken,
  slug: string,
  { kind }: Pick<OperationFacts<never>, 'kind'>,
): Model {
  try {
    return findModel(catalog, caller, slug, kind);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const code = error.code === 'model_not_found' ? 'invalid_request' : error.code;
    throw new GatewayError(code, `${HEADER}: ${error.message}`, { param: HEADER });
  }
}

function refuse(rule: string): GatewayError {
  return new GatewayError('invalid_request', `${HEADER} ${rule}.`, { param: HEADER });
}
