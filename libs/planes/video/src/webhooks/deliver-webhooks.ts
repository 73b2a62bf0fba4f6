import type { Task } from '@mg/contract';
import type { WebhookDelivery } from '@mg/persistence';
import {
  linkTask,
  listWebhookSecrets,
  toUnixSeconds,
  writeGenericTask,
  writeNativeTask,
} from '@mg/protocols';
import { fetchPublic } from '@mg/transport';
import { explain } from '../drive/job-line.js';
import type { WorkerKit } from '../worker-kit.js';
import { signWebhook } from './sign-webhook.js';

const AT_ONCE = 50;
const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 30;
/** What a receiver says beside its status is not of interest. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Pauses before the second to the eighth try; after the eighth a delivery is given up. */
const PAUSES_SECONDS: readonly number[] = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 60 * 60, 6 * 60 * 60];

/** Sends webhooks that are due. One that fails is tried again later; a slow one holds up neither tasks nor the others. */
export class WebhookCourier {
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly kit: WorkerKit) {}

  /** Sets off what is due, as far as there is room. */
  async sendDue(): Promise<void> {
    const limit = AT_ONCE - this.#underWay.size;
    if (limit <= 0) return;
    for (const delivery of await this.kit.deliveries.claimDue({ limit, leaseSeconds: LEASE_SECONDS })) {
      const sending = this.#send(delivery).finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** A try that could not be written down is made again once its claim has run out. */
  async #send(delivery: WebhookDelivery): Promise<void> {
    await deliver(delivery, this.kit).catch((error: unknown) =>
      this.kit.logger.warn(
        { task: delivery.task.id, reason: explain(error) },
        'a delivery was not written down',
      ),
    );
  }
}

async function deliver(delivery: WebhookDelivery, kit: WorkerKit): Promise<void> {
  const { status, error } = await send(delivery, kit);
  if (error === undefined && status !== undefined) {
    kit.metrics.webhooks.inc({ outcome: 'delivered' });
    await kit.deliveries.recordDelivered(delivery.id, status);
    return;
  }
  const retrySeconds = PAUSES_SECONDS[delivery.attempts];
  kit.metrics.webhooks.inc({ outcome: retrySeconds === undefined ? 'given_up' : 'failed' });
  await kit.deliveries.recordFailed(delivery.id, { status, error: error ?? 'no answer', retrySeconds });
}

interface Sent {
  readonly status: number | undefined;
  /** Why it does not count as delivered. */
  readonly error: string | undefined;
}

async function send(delivery: WebhookDelivery, kit: WorkerKit): Promise<Sent> {
  const { task } = delivery;
  const now = toUnixSeconds(Date.now());
  const body = Buffer.from(JSON.stringify(writePayload(delivery, kit)));
  const secrets = listWebhookSecrets(task.tokenId, kit.key);
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
      allowPrivate: kit.allowPrivateUrls,
    });
    const isTaken = status >= 200 && status < 300;
    return { status, error: isTaken ? undefined : `the receiver answered with status ${status}` };
  } catch (error) {
    return { status: undefined, error: explain(error) };
  }
}

/** What the receiver is told: the task as a poll would show it. */
function writePayload({ event, task }: WebhookDelivery, kit: WorkerKit) {
  const links = linkFor(task, kit);
  return {
    type: event,
    timestamp: new Date(task.finishedAt ?? Date.now()).toISOString(),
    data: task.face === 'native' ? writeNativeTask(task, { links }) : writeGenericTask(task, { links }),
  };
}

/** A link of our own needs an address that only the operator can tell: without it the receiver polls for one. */
function linkFor(task: Task, { publicUrl, key }: WorkerKit) {
  const isOurs = task.result?.needsKey === true || task.result?.stored !== undefined;
  return isOurs && publicUrl === undefined ? undefined : linkTask(task, publicUrl ?? '', key, Date.now());
}
