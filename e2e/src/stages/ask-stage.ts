import { waitUntil } from '../wait-until.js';
import type { Caller, StageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;

export interface StageAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Code of the error, where it is one. */
  readonly code: string | undefined;
}

/** A chat through one of the fleet's gateways. */
export async function askStage(
  { gatewayUrls }: Pick<StageFleet, 'gatewayUrls'>,
  { key, model }: Caller,
  gateway = 0,
): Promise<StageAnswer> {
  const { status, headers, body } = await send(gatewayUrls[gateway] ?? '', key, model);
  const { error } = body as { error?: { code?: string } };
  return { status, headers, code: error?.code };
}

async function send(url: string, key: string, model: string) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Waits until every gateway knows a caller's model. */
export async function knowModel(
  { gatewayUrls }: Pick<StageFleet, 'gatewayUrls'>,
  caller: Caller,
): Promise<void> {
  for (const url of gatewayUrls) {
    await waitUntil(
      'the gateway knows the model',
      async () => {
        const listed = await fetch(`${url}/v1/models`, {
          headers: { authorization: `Bearer ${caller.key}` },
        });
        return (await listed.text()).includes(caller.model);
      },
      WITHIN_MS,
    );
  }
}
