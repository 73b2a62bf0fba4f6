import { GatewayError } from '@mg/contract';
import type { Unpriced } from './bound-tokens.js';

/** Refuses what the model has no price for: it would be had for nothing. @throws GatewayError `invalid_request` */
export function refuseUnpriced(unpriced: readonly Unpriced[], model: string): void {
  const [first] = unpriced;
  if (first === undefined) return;
  const { param, name, kind } = first;
  const what = kind === 'tool' ? `the provider's tool ${quote(name)}` : `the service tier ${quote(name)}`;
  throw new GatewayError('invalid_request', `${param}: the model "${model}" has no price for ${what}.`, {
    param,
    reason: 'model_not_priced',
  });
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
