import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../deployment/credentials.js';

export interface VideoOrder {
  readonly index: number;
  readonly model: string;
}

export interface VideoAnswer {
  readonly order: VideoOrder;
  readonly status: number;
  readonly publicId: string | undefined;
}

const AGAIN_MS = 300;
const ANSWER_WITHIN_MS = 60_000;

/**
 * One caller's patience: the same key again, at one gateway after another, until there is an answer that is no fault of the
 * gateway.
 */
export async function orderVideo(gatewayUrls: readonly string[], order: VideoOrder): Promise<VideoAnswer> {
  for (let tries = 0; ; tries++) {
    const gatewayUrl = gatewayUrls[(order.index + tries) % gatewayUrls.length];
    try {
      const response = await fetch(`${gatewayUrl}/v1/video/generations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS.main}`,
          'content-type': 'application/json',
          'idempotency-key': `drill-${order.index}`,
        },
        body: JSON.stringify({ model: order.model, prompt: `task ${order.index}.`, duration: 5 }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const body = (await response.json()) as { task_id?: string };
      if (response.status < 500) return { order, status: response.status, publicId: body.task_id };
    } catch {
      // The gateway was killed: the key makes asking again harmless.
    }
    await sleep(AGAIN_MS);
  }
}
