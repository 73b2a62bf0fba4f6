import OpenAI, { APIError } from 'openai';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

/** The official client, changed in nothing but its address and key. Its own retries are off, so that a failure is seen. */
export function createOpenAi(deployment: Deployment, apiKey: string = KEYS.main): OpenAI {
  return new OpenAI({ baseURL: `${deployment.gatewayUrl}/v1`, apiKey, maxRetries: 0, timeout: 20_000 });
}

/** Awaits a call that should fail, and answers the SDK's error. */
export async function catchApiError(call: Promise<unknown>): Promise<APIError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof APIError) return outcome.error;
  throw new Error(`expected an API error, got ${JSON.stringify(outcome)}`);
}

/** Reads a stream to its end. */
export async function readAll<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export const HELLO: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello there' }];
