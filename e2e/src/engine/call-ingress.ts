import { randomUUID } from 'node:crypto';
import { KEYS } from '../deployment/credentials.js';
import { LOAD_MODELS } from '../drill/stack-load.js';

export interface ShortAnswer {
  /** Zero where there was no answer. */
  readonly status: number;
  readonly text: string;
}

const ANSWER_WITHIN_MS = 120_000;

/** One chat through the ingress, with a prompt of its own: no call may reach the provider twice. */
export async function ask(
  url: string,
  model: string = LOAD_MODELS.call,
  prompt: string = randomUUID(),
): Promise<ShortAnswer> {
  return send(`${url}/v1/chat/completions`, { model, messages: [{ role: 'user', content: prompt }] });
}

/** Posts JSON with the key of the load, or gets where there is no body. */
export async function send(url: string, body?: object): Promise<ShortAnswer> {
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String(error instanceof Error ? (error.cause ?? error) : error) };
  }
}
