import { setImmediate } from 'node:timers/promises';
import { joinInSlices, omitUndefined } from '@mg/contract';
import { writeResult, writeUnanswered } from '@mg/protocols';
import type { UpstreamBatch, UpstreamLine } from '@mg/persistence/video';
import type { BatchAnswer, NativeHold, NativeStep, ReleaseStep } from '@mg/transport';
import type { BatchContext } from '../batch-context.js';
import { judgeAnswer } from '../judge-answer.js';
import { readBody } from '../read-body.js';

const NOTHING = Buffer.from('{}');
/** What keys are refused with. */
const REFUSED = new Set([401, 403]);

/** The gateway cannot do a step now: the batch's results wait. */
export class GatewayAway extends Error {
  override readonly name = 'GatewayAway';
}

/** What the lines of one provider's batch are ended with. */
export class LineSteps {
  constructor(
    private readonly batch: UpstreamBatch,
    private readonly context: BatchContext,
    private readonly signal: AbortSignal,
  ) {}

  /** Charges a line for its answer, and keeps that. Done twice, it is done once. @throws GatewayAway */
  async settle(line: UpstreamLine, status: number, answer: Buffer): Promise<void> {
    const { batch, context } = this;
    const place = { batchId: batch.batchId, line: line.line };
    if (!line.request) return this.#endUnreadable(line);
    const request = line.request.body;
    const step: NativeStep = {
      kind: 'settle',
      requestId: line.requestId,
      tokenId: batch.parent.tokenId,
      channelId: batch.channelId,
      upstreamModel: batch.upstreamModel,
      hold: line.held as NativeHold,
      status,
      requestBytes: request.length,
    };
    const answered = await this.#send(line, step, await joinInSlices([request, answer], setImmediate));
    const read = { ...answered, body: await readBody(answered) };
    const outcome = judgeSettled(read);
    context.lines.inc({ outcome });
    const { tag } = line.request;
    await context.work.endLine(place, outcome, writeResult(batch.parent.api, { ...place, tag }, read));
  }

  /** Whether a line may still be sent to its provider: whether the key that made its batch is still let in. @throws GatewayAway */
  async isAdmitted(line: UpstreamLine): Promise<boolean> {
    const { status } = await this.#send(line, { kind: 'confirm', requestId: line.requestId }, NOTHING);
    if (status < 300) return true;
    if (REFUSED.has(status)) return false;
    throw new GatewayAway(`a key was looked at with status ${status}`);
  }

  /** Gives back what is held for a line that its provider has not carried out; it is made as a call. @throws GatewayAway */
  async free(line: UpstreamLine): Promise<void> {
    await this.#release(line);
    await this.context.native.upstream.freeLine(this.batch, line.line);
  }

  /** Ends a line of which nobody knows what became: it may have cost us something. @throws GatewayAway */
  async lose(line: UpstreamLine): Promise<void> {
    const { batch, context } = this;
    const { channelId, upstreamModel } = batch;
    const lost = { channelId, upstreamModel, hold: line.held as NativeHold };
    await this.#release(line, line.request ? lost : undefined);
    const place = { batchId: batch.batchId, line: line.line };
    const result = writeUnanswered(batch.parent.api, { ...place, tag: line.request?.tag ?? null }, 'expired');
    context.lines.inc({ outcome: 'failed' });
    await context.work.endLine(place, 'failed', [Buffer.from(result)]);
  }

  async #endUnreadable(line: UpstreamLine): Promise<void> {
    await this.#release(line);
    const place = { batchId: this.batch.batchId, line: line.line };
    const result = writeUnanswered(this.batch.parent.api, { ...place, tag: null }, 'unreadable');
    await this.context.work.endLine(place, 'failed', [Buffer.from(result)]);
  }

  async #release(line: UpstreamLine, lost?: ReleaseStep['lost']): Promise<void> {
    const body = line.request?.body ?? NOTHING;
    const { requestId } = line;
    const { tokenId } = this.batch.parent;
    const step = omitUndefined({ kind: 'release' as const, requestId, tokenId, lost });
    const { status } = await this.#send(line, step, body);
    if (status >= 300) throw new GatewayAway(`a release was answered with status ${status}`);
  }

  async #send({ line }: UpstreamLine, step: NativeStep, body: Buffer): Promise<BatchAnswer> {
    const { batchId, parent } = this.batch;
    const { keyHash, walletId, endpoint: path, headers } = parent;
    const idempotencyKey = `${batchId}.${line}`;
    try {
      return await this.context.gateway.send(
        { payer: { keyHash, walletId }, path, idempotencyKey, headers, body, step },
        this.signal,
      );
    } catch (error) {
      throw new GatewayAway('the gateway cannot be reached', { cause: error });
    }
  }
}

/** @throws GatewayAway for what may be answered otherwise later. An upstream's failure is what the line ends with. */
function judgeSettled(answer: { readonly status: number; readonly body: Buffer }): 'succeeded' | 'failed' {
  const verdict = judgeAnswer({ ...answer, retryAfterSeconds: undefined }, 1);
  if (verdict.kind === 'succeeded') return verdict.kind;
  const isLater = verdict.kind === 'pause' || (verdict.kind === 'retry' && !verdict.isKnown);
  if (isLater) throw new GatewayAway(`a settlement was answered with status ${answer.status}`);
  return 'failed';
}
