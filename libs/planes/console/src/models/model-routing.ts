import { type FallbackCause, omitUndefined, refuse, type RoutingStrategy } from '@mg/contract';
import type { ConsoleStore, ModelChange } from '@mg/persistence/console';

/** How calls of a model are routed, as the file and the API read it. */
interface RoutingInput {
  readonly fallback?: string[] | undefined;
  readonly fallback_on?: FallbackCause[] | undefined;
  readonly routing?: RoutingStrategy | undefined;
  readonly sticky?: boolean | undefined;
  readonly hedge?: boolean | undefined;
  /** Milliseconds. */
  readonly first_token_timeout?: number | null | undefined;
  readonly aliases?: string[] | undefined;
}

/** The columns that are named. */
export function toRouting(input: RoutingInput): ModelChange {
  return omitUndefined({
    fallback: input.fallback,
    fallbackOn: input.fallback_on,
    routing: input.routing,
    sticky: input.sticky,
    hedge: input.hedge,
    firstTokenTimeoutMs: input.first_token_timeout,
    aliases: input.aliases,
  });
}

/** @throws GatewayError `invalid_request` for a fallback model that there is not: no call would ever go there. */
export async function refuseUnknownFallbacks(
  store: ConsoleStore,
  { fallback = [] }: Pick<RoutingInput, 'fallback'>,
): Promise<void> {
  const [missing] = fallback.length === 0 ? [] : await store.models.findMissing(fallback);
  if (missing === undefined) return;
  throw refuse('invalid_request', 'no_model', { param: 'fallback', values: [missing] });
}
