import { omitUndefined } from '@mg/contract';
import { callerKey } from './money-configuration.js';
import type { ChatOrder } from './plan-orders.js';

/**
 * How one request ended for its caller: with a whole answer; with an error of the gateway, which costs nothing; without any
 * answer, or with a part of one, which may cost what the provider had made.
 */
export type Ending = 'answered' | 'refused' | 'broken';

export interface Attempt {
  readonly order: ChatOrder;
  /** Stands in the prompt: the provider's book knows the call by it. */
  readonly mark: string;
  readonly ending: Ending;
  /** The code of the error, or what broke. */
  readonly reason: string;
  /** `undefined` where the caller did not get it. */
  readonly requestId: string | undefined;
  /** What the answer said that it costs, in USD; only answers that are not streamed say it. */
  readonly reportedCost: string | undefined;
}

const ANSWER_WITHIN_MS = 20_000;

export function markOf(order: ChatOrder): string {
  return `order-${order.index}.`;
}

/** Asks a gateway once. */
export async function askChat(gatewayUrl: string, order: ChatOrder): Promise<Attempt> {
  const mark = markOf(order);
  let requestId: string | undefined;
  const end = (ending: Ending, reason: string, reportedCost?: string): Attempt => ({
    order,
    mark,
    ending,
    reason,
    requestId,
    reportedCost,
  });
  try {
    const response = await fetch(`${gatewayUrl}/v1/chat/completions`, {
      method: 'POST',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: omitUndefined({
        authorization: `Bearer ${callerKey(order.caller)}`,
        'content-type': 'application/json',
        'idempotency-key': order.patient ? mark : undefined,
      }),
      body: JSON.stringify({
        model: order.model,
        messages: [{ role: 'user', content: `${mark}${' word'.repeat(order.words)}` }],
        max_tokens: order.maxTokens,
        stream: order.stream,
      }),
    });
    requestId = response.headers.get('x-request-id') ?? undefined;
    const text = await response.text();
    if (!response.ok) return end('refused', readCode(text));
    if (order.stream && /^data: \{"(detail|error)"/m.test(text)) return end('refused', 'error event');
    if (order.stream && !text.includes('data: [DONE]')) return end('broken', 'cut stream');
    return end('answered', 'ok', response.headers.get('x-gateway-cost') ?? undefined);
  } catch (error) {
    const code = readSystemCode(error);
    return end(code === 'ECONNREFUSED' ? 'refused' : 'broken', code);
  }
}

function readCode(text: string): string {
  return (JSON.parse(text) as { detail?: { code?: string } }).detail?.code ?? text;
}

function readSystemCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
