import type { JobHttpResponse } from '@mg/transport';
import { freeAll, type Next, openLines, type UpstreamStep } from './end-upstream.js';
import { nameLine } from './name-line.js';
import { onOneLine } from './on-one-line.js';
import { readComplaint, textOf } from './provider-batches.js';

/** Longer than a request to create a batch may be on its way. */
const CREATED_WITHIN_SECONDS = 120;
const LOOK_SECONDS = 5;
const LIMITED_SECONDS = 60;
/** What may be answered otherwise later. */
const PASSING = new Set([408, 425, 429]);

/** Uploads the requests of a batch and has it created. */
export async function createUpstream(step: UpstreamStep): Promise<Next> {
  const { batch, context, steps, provider } = step;
  const { upstream } = context.native;
  if (!(await upstream.beginUpload(batch.id))) return { seconds: LOOK_SECONDS };
  const lines = await writeRequests(step);
  if (lines.length === 0) return freeAll(batch, 'called_off', steps, context);
  const uploaded = await provider.upload(batch.id, lines);
  if (isRefused(uploaded)) return refuse(uploaded, step);
  const fileId = textOf(uploaded.json, 'id');
  if (!isDone(uploaded) || fileId === undefined)
    throw new Error(`a file was answered with status ${uploaded.status}`);
  return create(fileId, step);
}

/** The lines of the file. One that cannot be decrypted any more is made as a call, which says so. */
async function writeRequests({ batch, context, steps }: UpstreamStep): Promise<Buffer[]> {
  const written: Buffer[] = [];
  for await (const line of openLines(batch, context)) {
    const body = await context.native.upstream.readUpload(batch, line.line);
    if (!body) {
      await steps.free(line);
      continue;
    }
    const { endpoint: url } = batch.parent;
    const head = JSON.stringify({ custom_id: nameLine(line), method: 'POST', url }).slice(0, -1);
    written.push(Buffer.from(`${head},"body":`), onOneLine(body), Buffer.from('}\n'));
  }
  return written;
}

/** Sends the request that creates the batch. What it is answered with a 5xx, or not at all, the provider may have all the same. */
async function create(fileId: string, step: UpstreamStep): Promise<Next> {
  const { batch, context, provider } = step;
  const { upstream } = context.native;
  if (!(await upstream.beginCreate(batch.id, fileId))) return { seconds: LOOK_SECONDS };
  const created = await provider.create(batch.id, fileId, batch.parent.endpoint);
  if (isRefused(created)) return refuse(created, step);
  const upstreamId = textOf(created.json, 'id');
  if (!isDone(created) || upstreamId === undefined) {
    return { seconds: PASSING.has(created.status) ? LIMITED_SECONDS : LOOK_SECONDS };
  }
  return noteCreated(upstreamId, step);
}

async function noteCreated(upstreamId: string, { batch, context }: UpstreamStep): Promise<Next> {
  await context.native.upstream.noteCreated(batch.id, upstreamId);
  context.logger.info(
    { batch: batch.batchId, channel: batch.channelId, upstream_batch: upstreamId, lines: batch.lines },
    "lines of a batch are a batch of the channel's provider",
  );
  return { seconds: 1 };
}

/** Looks for a batch whose creation was not heard of again. Where there is certainly none, it is created anew. */
export async function findCreated(step: UpstreamStep): Promise<Next> {
  const { batch, context, steps, provider } = step;
  const { creatingSeconds = 0, fileId } = batch;
  const upstreamId = await provider.find(batch.id, creatingSeconds);
  if (upstreamId !== undefined) return noteCreated(upstreamId, step);
  if (creatingSeconds < CREATED_WITHIN_SECONDS) return { seconds: LOOK_SECONDS };
  if (!batch.parent.isOpen || fileId === undefined) return freeAll(batch, 'called_off', steps, context);
  return create(fileId, step);
}

function isDone({ status }: JobHttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** Whether the provider will not take it, whenever it is asked. */
function isRefused({ status }: JobHttpResponse): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status);
}

/** What a provider does not take as a batch is made as calls. */
function refuse({ status, json }: JobHttpResponse, { batch, context, steps }: UpstreamStep): Promise<Next> {
  const { batchId, channelId } = batch;
  const facts = { batch: batchId, channel: channelId, status, reason: readComplaint(json) };
  context.logger.warn(facts, 'a provider has refused a batch');
  return freeAll(batch, 'refused', steps, context);
}
