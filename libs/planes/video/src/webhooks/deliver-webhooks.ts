import { setImmediate } from 'node:timers/promises';
import type { Task } from '@mg/contract';
import type { WebhookDelivery } from '@mg/persistence/video';
import {
  linkTask,
  listWebhookSecrets,
  toUnixSeconds,
  writeGenericTask,
  writeNativeTask,
} from '@mg/protocols';
import { errorMessage } from '@mg/runtime';
import { fetchPublic, signWebhook } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';

const AT_ONCE = 50;
/** Tasks that are read together: the driver reads a tenth of a millisecond and more for each, in one step. */
const CLAIMED_AT_ONCE = 25;
const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 30;
/** What a receiver says beside its status is not of interest. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Pauses before the second to the eighth try; after the eighth a delivery is given up. */
const PAUSES_SECONDS: readonly number[] = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 60 * 60, 6 * 60 * 60];

/** Sends webhooks that are due. One that fails is tried again later; a slow one holds up neither tasks nor the others. */
export class WebhookSender {
  readonly #inFlight = new Set<Promise<void>>();

  constructor(private readonly worker: WorkerContext) {}

  /** Sets off what is due, as far as there is room. @returns whether anything is. */
  async sendDue(): Promise<boolean> {
    const room = AT_ONCE - this.#inFlight.size;
    if (room <= 0) return true;
    const limit = Math.min(room, CLAIMED_AT_ONCE);
    const due = await this.worker.deliveries.claimDue({ limit, leaseSeconds: LEASE_SECONDS });
    for (const delivery of due) {
      const sending = this.#send(delivery).finally(() => this.#inFlight.delete(sending));
      this.#inFlight.add(sending);
      // Fifty that are written and signed in one turn of the event loop would hold it.
      await setImmediate();
    }
    return due.length > 0;
  }

  /** Waits for what is in progress. */
  async close(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  /** A try that could not be written down is made again once its claim has run out. */
  async #send(delivery: WebhookDelivery): Promise<void> {
    await deliver(delivery, this.worker).catch((error: unknown) =>
      this.worker.logger.warn(
        { task: delivery.task.id, reason: errorMessage(error) },
        'webhook delivery could not be recorded',
      ),
    );
  }
}

async function deliver(delivery: WebhookDelivery, worker: WorkerContext): Promise<void> {
  const { status, error } = await worker.trace.step(
    delivery.task,
    'webhook',
    () => send(delivery, worker),
    (sent) => (sent.error === undefined ? 'delivered' : 'failed'),
  );
  if (error === undefined && status !== undefined) {
    worker.metrics.webhooks.inc({ outcome: 'delivered' });
    await worker.deliveries.recordDelivered(delivery.id, status);
    return;
  }
  const retrySeconds = PAUSES_SECONDS[delivery.attempts];
  worker.metrics.webhooks.inc({ outcome: retrySeconds === undefined ? 'given_up' : 'failed' });
  await worker.deliveries.recordFailed(delivery.id, { status, error: error ?? 'no answer', retrySeconds });
}

interface Sent {
  readonly status: number | undefined;
  /** Why it does not count as delivered. */
  readonly error: string | undefined;
}

async function send(delivery: WebhookDelivery, worker: WorkerContext): Promise<Sent> {
  const { task } = delivery;
  const now = toUnixSeconds(Date.now());
  const body = Buffer.from(JSON.stringify(writePayload(delivery, worker)));
  const secrets = listWebhookSecrets(task.tokenId, worker.key);
  try {
    const { status } = await fetchPublic(delivery.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signWebhook(`msg_${task.id}_${delivery.id}`, now, body, secrets),
      },
      body,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      allowPrivate: worker.allowPrivateUrls,
    });
    const isTaken = status >= 200 && status < 300;
    return { status, error: isTaken ? undefined : `the receiver answered with status ${status}` };
  } catch (error) {
    return { status: undefined, error: errorMessage(error) };
  }
}

/** What the receiver gets: the task as a poll would show it. */
function writePayload({ event, task }: WebhookDelivery, worker: WorkerContext) {
  const links = linkFor(task, worker);
  return {
    type: event,
    timestamp: new Date(task.finishedAt ?? Date.now()).toISOString(),
    data: task.apiVariant === 'native' ? writeNativeTask(task, { links }) : writeGenericTask(task, { links }),
  };
}

/** A link of our own needs an address that only the operator knows: without it the receiver polls for one. */
function linkFor(task: Task, { publicUrl, key }: WorkerContext) {
  const isOurs = task.result?.needsKey === true || task.result?.stored !== undefined;
  return isOurs && publicUrl === undefined ? undefined : linkTask(task, publicUrl ?? '', key, Date.now());
}
