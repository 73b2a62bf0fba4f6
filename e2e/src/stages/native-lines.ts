import { newId, sha256 } from '@mg/contract';
import type { BatchAnswer, BatchGateway, NativeOutcome, NativeStep } from '@mg/transport';
import { waitUntil } from '../wait-until.js';
import { knowModel } from './ask-stage.js';
import type { Caller, StageFleet } from './stage-fleet.js';

const DAY_SECONDS = 24 * 60 * 60;

/** Where lines come in, and the provider that carries them out. */
export interface NativeWay {
  /** With `{model}` where it names the model. */
  readonly path: string;
  /** The body, where it is none of messages. */
  readonly body?: object;
  readonly type: string;
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  /** What it answers. */
  readonly answer: object;
}

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
};

export const CHATS: NativeWay = {
  path: '/v1/chat/completions',
  type: 'openai',
  upstreamModel: 'gpt-4o-mini',
  answer: COMPLETION,
};

type NativeHeld = Extract<NativeOutcome, { kind: 'native' }>;

/** A caller whose one channel has the provider carry out batches, and what a worker asks the gateway for on its behalf. */
export class NativeLines {
  /** What lines ask for beside a greeting. */
  asked: object = {};

  private constructor(
    private readonly fleet: StageFleet,
    private readonly worker: BatchGateway,
    readonly caller: Caller,
    private readonly way: NativeWay,
  ) {}

  static async open(
    fleet: StageFleet,
    worker: BatchGateway,
    calls: number,
    way: NativeWay = CHATS,
  ): Promise<NativeLines> {
    const caller = await fleet.addCaller(calls, [way.upstreamModel]);
    await fleet.query(`update channel set type = $2, batches = 'native' where models ? $1`, [
      caller.model,
      way.type,
    ]);
    await knowModel(fleet, caller);
    const lines = new NativeLines(fleet, worker, caller, way);
    await waitUntil('the native channel', async () => {
      const { native } = await lines.prepare(newId(), [await lines.#readRoute()]);
      return native?.kind === 'busy';
    });
    return lines;
  }

  get request(): string {
    const { model } = this.caller;
    const messages = { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] };
    return JSON.stringify({ ...(this.way.body ?? messages), ...this.asked });
  }

  /** Idempotency-Key of a line: it has one for all of its steps; here each request id is a line of its own. */
  keyOf(requestId: string): string {
    return `batch_${requestId.replaceAll('-', '')}.1`;
  }

  prepare(
    requestId: string,
    busy: NativeHeld['route'][] = [],
    request: string = this.request,
  ): Promise<BatchAnswer> {
    const facts = { batchId: 'batch_1', holdSeconds: DAY_SECONDS + 60, busy };
    return this.#take({ kind: 'prepare', requestId, ...facts }, request);
  }

  async hold(requestId: string): Promise<NativeHeld> {
    const { native } = await this.prepare(requestId);
    if (native?.kind !== 'native') throw new Error(`nothing is held: ${native?.kind}`);
    return native;
  }

  settle(
    requestId: string,
    { route, hold }: NativeHeld,
    status = 200,
    answer: object = this.way.answer,
  ): Promise<BatchAnswer> {
    const { channelId, upstreamModel } = route;
    const { length: requestBytes } = Buffer.from(this.request);
    const { tokenId } = this.caller;
    const facts = { requestId, tokenId, channelId, upstreamModel, hold, status, requestBytes };
    return this.#take({ kind: 'settle', ...facts }, this.request + JSON.stringify(answer));
  }

  confirm(requestId: string): Promise<BatchAnswer> {
    return this.#take({ kind: 'confirm', requestId }, '');
  }

  release(requestId: string, lost?: NativeHeld): Promise<BatchAnswer> {
    const { channelId = '', upstreamModel = '' } = lost?.route ?? {};
    const what = lost && { lost: { channelId, upstreamModel, hold: lost.hold } };
    const { tokenId } = this.caller;
    return this.#take({ kind: 'release', requestId, tokenId, ...what }, this.request);
  }

  /** Entries of the wallet that belong to calls, once there are so many. */
  readCharges(count: number): Promise<{ request_id: string; amount: string }[]> {
    return waitUntil('the charges', async () => {
      const rows = await this.fleet.query<{ request_id: string; amount: string }>(
        `select request_id, amount::text from entry where wallet_id = $1 and kind = 'charge'`,
        [this.caller.walletId],
      );
      return rows.length >= count && rows;
    });
  }

  waitForHeld(nano: string): Promise<true> {
    return waitUntil(`${nano} held`, async () => {
      const [row] = await this.fleet.query<{ held: string }>('select held::text from wallet where id = $1', [
        this.caller.walletId,
      ]);
      return row?.held === nano;
    });
  }

  async #readRoute(): Promise<NativeHeld['route']> {
    const [row] = await this.fleet.query<{ id: string }>('select id from channel where models ? $1', [
      this.caller.model,
    ]);
    const keyFingerprint = sha256(this.fleet.providerKey);
    return { channelId: row?.id ?? '', keyFingerprint, upstreamModel: this.way.upstreamModel };
  }

  #take(step: NativeStep, body: string): Promise<BatchAnswer> {
    const { key, walletId } = this.caller;
    const payer = { keyHash: sha256(key), walletId };
    const call = {
      payer,
      path: this.way.path.replace('{model}', this.caller.model),
      idempotencyKey: this.keyOf(step.requestId),
      headers: {},
      body,
      step,
    };
    return this.worker.send(call, AbortSignal.timeout(30_000));
  }
}
