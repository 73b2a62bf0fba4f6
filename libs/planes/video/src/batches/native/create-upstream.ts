import { setImmediate } from 'node:timers/promises';
import { type BatchInput, type BatchOrder, type BatchUpload, onOneLineInSteps } from '@mg/providers';
import type { JobHttpResponse } from '@mg/transport';
import { freeAll, type Next, openLines, type UpstreamStep } from './end-upstream.js';
import { findBatch } from './find-batch.js';
import { nameLine } from './name-line.js';
import { ForeignAddress, readComplaint } from './provider-client.js';

const LOOK_SECONDS = 5;
/** A batch that may be ours can be told at its end, which may be hours away. */
const UNCLEAR_SECONDS = 60;
const LIMITED_SECONDS = 60;
/** What may be answered otherwise later. */
const PASSING = new Set([408, 425, 429]);
const LIMITED = 429;
/** The channel leads back to a gateway that has sent it. */
const LOOP = 508;

/** Has a batch made of the requests of its lines. */
export async function createUpstream(step: UpstreamStep): Promise<Next> {
  const { batch, context, provider } = step;
  if (!(await areKeysEnabled(step))) return freeAll(batch, 'key_disabled', step.steps, context);
  if (!(await context.native.upstream.beginUpload(batch.id))) return { seconds: LOOK_SECONDS };
  const requests = await writeRequests(step);
  if (requests.length === 0) return freeAll(batch, 'called_off', step.steps, context);
  const { upload } = provider.surface;
  if (!upload) return create({ kind: 'requests', requests }, requests.length, step);
  const uploaded = await uploadRequests(upload, requests, step);
  if (uploaded === 'elsewhere') return freeAll(batch, 'refused', step.steps, context);
  if (isRefused(uploaded)) return refuse(uploaded, step);
  const fileId = uploaded.json && upload.readId(uploaded.json);
  if (!isDone(uploaded) || fileId === undefined)
    throw new Error(`a file was answered with status ${uploaded.status}`);
  return create({ kind: 'file', fileId }, requests.length, step);
}

/**
 * Whether a batch may be begun with the key of the channel, and on behalf of the key that its lines were held for: either may have
 * been disabled while lines gathered. Made as calls, they then say so.
 *
 * @throws GatewayAway
 */
async function areKeysEnabled({ batch, context, steps, provider }: UpstreamStep): Promise<boolean> {
  if (!provider.isKeyEnabled) return false;
  const { value: first } = await openLines(batch, context).next();
  return first === undefined || steps.isAdmitted(first);
}

/** @returns `elsewhere` where they would go to another server than the channel's. */
async function uploadRequests(
  upload: BatchUpload,
  requests: readonly Buffer[],
  { batch: { id, channelId }, context: { logger }, provider }: UpstreamStep,
): Promise<JobHttpResponse | 'elsewhere'> {
  const bytes = requests.reduce((sum, { length }) => sum + length, 0);
  try {
    const announced = upload.announce && (await provider.upload(upload.announce(id, bytes)));
    if (announced && !isDone(announced)) return announced;
    return await provider.upload(upload.request(id, requests, announced?.headers ?? {}));
  } catch (error) {
    if (!(error instanceof ForeignAddress)) throw error;
    logger.warn({ channel: channelId, reason: error.message }, 'requests of a batch cannot be uploaded');
    return 'elsewhere';
  }
}

/** One request for each line. A line that cannot be decrypted any more is made as a call, which says so. */
async function writeRequests({ batch, context, steps, provider }: UpstreamStep): Promise<Buffer[]> {
  const written: Buffer[] = [];
  for await (const line of openLines(batch, context)) {
    const body = await context.native.upstream.readUpload(batch, line.line);
    if (body) {
      const request = await onOneLineInSteps(body, setImmediate);
      written.push(provider.surface.writeRequest(nameLine(line), request, batch.endpoint));
    } else await steps.free(line);
  }
  return written;
}

/** Sends the request that creates the batch. What it is answered with a 5xx, or not at all, the provider may have all the same. */
async function create(input: BatchInput, count: number, step: UpstreamStep): Promise<Next> {
  const { batch, context, provider } = step;
  const { upstream } = context.native;
  const fileId = input.kind === 'file' ? input.fileId : undefined;
  if (!(await upstream.beginCreate(batch.id, fileId))) return { seconds: LOOK_SECONDS };
  const created = await provider.create(provider.surface.create(describeOrder(step, count), input));
  if (isRefused(created)) return refuse(created, step);
  // Nobody has to look for what was refused for now. What was uploaded is named again, and found by its name.
  if (created.status === LIMITED && input.kind === 'requests') await upstream.noteNotCreated(batch.id);
  if (PASSING.has(created.status)) return { seconds: LIMITED_SECONDS };
  const upstreamId = created.json && provider.surface.readId(created.json);
  if (!isDone(created) || upstreamId === undefined) return { seconds: LOOK_SECONDS };
  return noteCreated(upstreamId, step);
}

function describeOrder({ batch: { id, endpoint, parent } }: UpstreamStep, count: number): BatchOrder {
  return { id, endpoint, count, headers: parent.headers };
}

async function noteCreated(upstreamId: string, { batch, context }: UpstreamStep): Promise<Next> {
  await context.native.upstream.noteCreated(batch.id, upstreamId);
  context.logger.info(
    { batch: batch.batchId, channel: batch.channelId, upstream_batch: upstreamId, lines: batch.lines },
    "lines of a batch are a batch of the channel's provider",
  );
  return { seconds: 1 };
}

/**
 * Looks for a batch whose creation was not heard of again. Where there is certainly none, it is created anew; while there is one
 * that may be it, nothing is.
 */
export async function findCreated(step: UpstreamStep): Promise<Next> {
  const { batch, context, steps, provider } = step;
  const { creatingSeconds = 0, fileId } = batch;
  const order = describeOrder(step, await context.native.upstream.countLines(batch));
  const found = await findBatch(order, creatingSeconds, step);
  if (found === 'unclear') return { seconds: UNCLEAR_SECONDS };
  if (found !== undefined) return noteCreated(found, step);
  if (creatingSeconds < provider.createdWithinSeconds) return { seconds: LOOK_SECONDS };
  if (!batch.parent.isOpen) return freeAll(batch, 'called_off', steps, context);
  if (!(await areKeysEnabled(step))) return freeAll(batch, 'key_disabled', steps, context);
  if (fileId !== undefined) return create({ kind: 'file', fileId }, order.count, step);
  const requests = await writeRequests(step);
  if (requests.length === 0) return freeAll(batch, 'called_off', steps, context);
  return create({ kind: 'requests', requests }, requests.length, step);
}

function isDone({ status }: JobHttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether the provider will not take it, whenever it is asked. */
function isRefused({ status }: JobHttpResponse): boolean {
  return status === LOOP || (status >= 400 && status < 500 && !PASSING.has(status));
}

/** What a provider does not take as a batch is made as calls. */
function refuse({ status, json }: JobHttpResponse, { batch, context, steps }: UpstreamStep): Promise<Next> {
  const { batchId, channelId } = batch;
  const facts = { batch: batchId, channel: channelId, status, reason: readComplaint(json) };
  context.logger.warn(facts, 'a provider has refused a batch');
  return freeAll(batch, 'refused', steps, context);
}
