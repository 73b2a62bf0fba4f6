import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

export interface GatewayErrorBody {
  readonly detail: {
    readonly code: string;
    readonly message: string;
    readonly request_id: string;
    readonly type: string;
    readonly param?: string;
    readonly retry_after?: number;
    readonly upstream_status?: number;
  };
  readonly error: { readonly message: string; readonly code: string; readonly param: string | null };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as an error of the gateway. @throws SyntaxError when it is no JSON. */
  readonly failure: GatewayErrorBody;
}

/** No promise: a machine that does ten other things may take long. */
const ANSWERED_WITHIN_MS = 60_000;
const PAUSE_MS = 500;
const MAX_TRIES = 20;

/** A request as bytes, for everything that an SDK would never send. */
export async function request(
  deployment: Pick<Deployment, 'gatewayUrl'>,
  path: string,
  init: RequestInit = {},
): Promise<RawAnswer> {
  const response = await fetch(`${deployment.gatewayUrl}${path}`, {
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    ...init,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get failure() {
      return JSON.parse(text) as GatewayErrorBody;
    },
  };
}

/** Posts a chat completion body: an object as JSON, a text as it is. */
export function postChat(
  deployment: Pick<Deployment, 'gatewayUrl'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  return request(deployment, '/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/**
 * Asks again while the gateway cannot decide (503), as SDKs do: billing has three seconds, which a busy machine may not give
 * it.
 *
 * @returns the last answer, after some tries also one of 503.
 */
export async function askUntilDecided(send: () => Promise<RawAnswer>): Promise<RawAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    if (answer.status !== 503 || tries === MAX_TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
