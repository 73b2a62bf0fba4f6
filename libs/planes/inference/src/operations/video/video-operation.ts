import { formatUsd, GatewayError, type Model, type NewTask, type Task } from '@mg/contract';
import {
  type GatewayExtras,
  type JsonObject,
  linkTask,
  type TaskLinks,
  writeGenericTask,
  writeNativeTask,
} from '@mg/protocols';
import { findJobEndpoint } from '@mg/providers';
import type { Plan } from '@mg/routing';
import type { CallRecord } from '../../call/call-record.js';
import type { ChangeWatch } from '../../call/change-notifications.js';
import type { Bound, DeferredOperation, SubmittedAnswer } from '../../call/operation.js';
import { boundTask, type TaskHold } from './bound-task.js';
import { listDropped, recordSubmission } from './record-submission.js';
import { showAsQueued } from './show-as-queued.js';
import type { VideoCall } from './video-call.js';
import type { VideoGateway } from './video-context.js';

/** How long a caller waits for a worker to take the task; then the answer is `queued`. */
const TAKEN_WITHIN_MS = 5_000;
/** How long a caller waits while a worker submits the task to providers. */
const SUBMITTED_WITHIN_MS = 30_000;
/** The worker chooses the channel. */
const NO_PLAN: Plan = { attempts: [], cooldownUntilMs: undefined };

/** How a new task is shown to its creator. */
export type WriteTask = (
  task: Task,
  extras: { readonly links: TaskLinks | undefined; readonly gateway: GatewayExtras },
) => JsonObject;

/** A new task as the API that it was created by shows it. */
const writeTask: WriteTask = (task, extras) =>
  task.apiVariant === 'native' ? writeNativeTask(task, extras) : writeGenericTask(task, extras);

/** The creation of a video, by either API. A worker carries it out, and billing charges it once a provider has taken it. */
export class VideoOperation implements DeferredOperation<TaskHold> {
  readonly kind = 'video';
  readonly stream = false;
  readonly dialect = 'openai-chat';
  readonly answerBytes = 0;
  readonly model: string;

  /** @param base address of this plane as the caller reaches it. */
  constructor(
    private readonly call: VideoCall,
    private readonly base: string,
    private readonly gateway: VideoGateway,
    private readonly write: WriteTask = writeTask,
  ) {
    this.model = call.model;
  }

  route({ slug }: Model): Plan {
    const { apiVariant } = this.call;
    const channels = this.gateway.catalog().channelsBySlug.get(slug) ?? [];
    const isServed = channels.some((channel) =>
      findJobEndpoint(channel, channel.models.get(slug) ?? slug, apiVariant),
    );
    if (isServed) return NO_PLAN;
    throw new GatewayError(
      'upstream_unavailable',
      apiVariant === 'native'
        ? `The model "${slug}" has no channel that speaks the native video API: one of type videonative is needed.`
        : `No channel makes videos with the model "${slug}" at the moment.`,
    );
  }

  bound(model: Model, _plan: Plan, record: CallRecord): Bound<TaskHold> {
    const { video } = this.gateway;
    refusePlainCallback(this.call, video.allowPrivateUrls);
    return boundTask(this.call, model, record, video);
  }

  async submit(hold: TaskHold, record: CallRecord): Promise<SubmittedAnswer> {
    const { video } = this.gateway;
    const watch = video.notifications.watch(hold.task.id);
    try {
      await video.waker.wake(hold.task.id);
      const task = (await this.#awaitSubmission(hold.task, watch)) ?? showAsQueued(hold);
      recordSubmission(task, record);
      record.cost = hold.amount;
      return { bytes: this.#show(task, record), dropped: listDropped(task) };
    } finally {
      watch.stop();
    }
  }

  /** The task once its submit has come to something, or as it stands when the time is over; `undefined` when it cannot be read. */
  async #awaitSubmission({ walletId, publicId }: NewTask, watch: ChangeWatch): Promise<Task | undefined> {
    const start = performance.now();
    for (let deadline = start + TAKEN_WITHIN_MS; ;) {
      const found = await this.gateway.video.tasks.find(walletId, publicId).catch(() => undefined);
      const isOpen = !found || found.state === 'created' || found.state === 'submitting';
      if (found?.state === 'submitting') deadline = start + SUBMITTED_WITHIN_MS;
      if (!isOpen || performance.now() >= deadline) return found;
      await watch.waitForChange(deadline - performance.now());
    }
  }

  #show(task: Task, record: CallRecord): Buffer {
    const links = linkTask(task, this.base, this.gateway.video.key, Date.now());
    const gateway = {
      request_id: record.requestId,
      cost: formatUsd(record.cost),
      latency_ms: record.answerLatencyMs(),
    };
    return Buffer.from(JSON.stringify(this.write(task, { links, gateway })));
  }
}

/** Its address is checked when it is called; a scheme that is never called is refused at once. */
function refusePlainCallback({ callbackUrl }: VideoCall, allowsPlain: boolean): void {
  if (callbackUrl === undefined || allowsPlain || /^https:/i.test(callbackUrl)) return;
  throw new GatewayError('invalid_request', 'callback_url must begin with https://.', {
    param: 'callback_url',
  });
}
