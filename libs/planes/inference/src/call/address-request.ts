import type { Channel } from '@mg/contract';
import type { OutgoingBody } from '@mg/protocols';
import { buildOutgoing, type OutgoingRequest, type SigningContext, type SurfaceCall } from '@mg/providers';
import type { TokenExchange } from '@mg/transport';
import { nextTurn } from '../edge/loop-turns.js';
import type { KeyRotation } from '@mg/routing';
import type { PreparedAttempt } from './prepared-attempt.js';

/** Where the credentials of channels come from. */
export interface Credentials {
  readonly tokenExchange: TokenExchange;
  readonly keys: KeyRotation;
}

interface AddressInput extends Pick<PreparedAttempt, 'endpoint' | 'passedHeaders'> {
  readonly channel: Channel;
  /** The key to ask with; the next in turn when left out. */
  readonly apiKey?: string | undefined;
  readonly call: SurfaceCall;
  readonly body: OutgoingBody;
}

/** The finished request to a channel: addressed, authorised and signed, with its next credential in turn. */
export function addressRequest(
  { endpoint, passedHeaders, channel, apiKey, call, body }: AddressInput,
  credentials: Credentials,
): OutgoingRequest | Promise<OutgoingRequest> {
  const { provider, surface, baseUrl = '' } = endpoint;
  return buildOutgoing(
    { provider, surface, baseUrl, call, body, passedHeaders },
    signFor(channel, apiKey, credentials),
  );
}

function signFor(
  channel: Channel,
  apiKey: string | undefined,
  { tokenExchange, keys }: Credentials,
): SigningContext {
  return {
    apiKey: apiKey ?? keys.next(channel),
    settings: channel.settings,
    nowMs: Date.now(),
    pause: nextTurn,
    obtainToken: (cacheKey, makeGrant) => tokenExchange.obtain(`${channel.id} ${cacheKey}`, makeGrant),
  };
}
