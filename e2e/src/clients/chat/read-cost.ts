/** What a stream says of its own cost beside its usage, where the SDK's user finds it; the SDKs do not know the member. */
export function readCost(usage: object | null | undefined): { readonly cost?: unknown } {
  const { gateway_cost: cost } = (usage ?? {}) as { readonly gateway_cost?: unknown };
  return cost === undefined ? {} : { cost };
}
