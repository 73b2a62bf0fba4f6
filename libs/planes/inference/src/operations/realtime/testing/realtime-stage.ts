import {
  type CallerToken,
  type Catalog,
  type HoldRequest,
  omitUndefined,
  parsePrice,
  type Usage,
} from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { TokenCache } from '../../../access/token-cache.js';
import type { GatewayContext } from '../../../call/gateway-context.js';
import { OpenSessions, SESSION_TIMES } from '../../../edge/open-sessions.js';
import { RealtimeClient, type RefusedHandshake } from '../../../testing/realtime-client.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../../testing/small-gateway.js';

/** Where Google's SDKs open sessions. */
export const LIVE_PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const PATIENCE_MS = 20_000;
export const SHEET = {
  input_per_million: '4',
  cached_input_per_million: '0.4',
  audio_input_per_million: '32',
  output_per_million: '16',
  audio_output_per_million: '64',
};
const PRICE = parsePrice(SHEET);
/** Least that the worst case of a response can be. */
export const HOLD = 10_000n * 32_000n + 1_000n * 64_000n;
export const TOKEN = { id: 't', name: 'test', walletId: 'w', userId: 'u', disabled: false } as CallerToken;
/** Asks for a response. */
export const CREATE = { type: 'response.create' };

/** For upstreams that say nothing of what cancelled responses used: they are not waited for. */
export const waitForNoUsage = () => ({
  sessions: new OpenSessions({ ...SESSION_TIMES, lastUsageMs: 0 }),
});

/** What a test wants of its gateway. */
export interface Scene {
  /** Name of the upstream's model, which says what it does. */
  readonly model?: string;
  readonly token?: Partial<CallerToken>;
  readonly parts?: Partial<GatewayContext>;
  readonly sheet?: object;
  /** Type of the channel. */
  readonly type?: string;
}

/** Query, headers in place of the key, subprotocols. */
export type KnockArgs = [query?: string, headers?: Record<string, string>, protocols?: string[]];

/** A gateway with one realtime model before a fake upstream, for the tests of a `describe`. */
export class RealtimeStage {
  upstream!: FakeUpstream;
  gateway!: SmallGateway;
  readonly #clients: RealtimeClient[] = [];

  constructor() {
    beforeAll(async () => {
      this.upstream = await startFakeUpstream({ acceptedKeys: ['upstream-key-1'] });
    });
    afterEach(async () => {
      for (const client of this.#clients.splice(0)) client.socket.terminate();
      await this.gateway.close();
      this.upstream.reset();
    });
    afterAll(() => this.upstream.close());
  }

  async start({ model = 'speaks', token = {}, parts = {}, sheet = SHEET, type }: Scene = {}): Promise<void> {
    const describeModel = (slug: string, kind: string, price: object) => [
      slug,
      {
        slug,
        kind,
        createdAt: 0,
        contextWindow: 10_000,
        maxOutputTokens: 1_000,
        prices: [{ versionId: 'p1', effectiveFrom: 0, price: parsePrice(price) }],
      },
    ];
    const models = new Map([
      describeModel('talk', 'realtime', sheet),
      describeModel('write', 'transcription', { per_minute: '0.006' }),
      describeModel('count', 'transcription', { input_per_million: '6', output_per_million: '10' }),
      describeModel('write-for-nothing', 'transcription', {}),
      describeModel('write-elsewhere', 'transcription', { per_minute: '0.006' }),
      describeModel('chat', 'chat', { input_per_million: '1', output_per_million: '1' }),
    ] as unknown as [string, NonNullable<ReturnType<Catalog['models']['get']>>][]);
    this.gateway = await startSmallGateway('realtime', {
      catalog: () => ({
        version: 1,
        models,
        channelsBySlug: new Map(['talk', 'write', 'count'].map((slug) => [slug, this.gateway.channels])),
      }),
      tokens: new TokenCache(async () => ({ ...TOKEN, ...token })),
      ...parts,
    });
    this.gateway.channels = [this.serveBy('main', model, type === undefined ? {} : { type })];
  }

  /** A channel of the fake upstream. */
  serveBy(name: string, model: string, facts: object = {}) {
    return makeChannel(name, {
      baseUrl: this.upstream.url,
      apiKeys: ['upstream-key-1'],
      models: new Map([
        ['talk', model],
        ['write', 'their-whisper'],
        ['write-for-nothing', 'fails'],
      ]),
      ...facts,
    });
  }

  /** Asks for a session. */
  async knock(...[query = '?model=talk', headers, protocols]: KnockArgs) {
    const sent = headers ?? { authorization: `Bearer ${this.gateway.key}` };
    return RealtimeClient.open(`${this.gateway.url}/v1/realtime${query}`, {
      headers: sent,
      ...omitUndefined({ protocols }),
    });
  }

  /** Opens a session. */
  async open(...args: KnockArgs): Promise<RealtimeClient> {
    const client = await this.knock(...args);
    if (!(client instanceof RealtimeClient)) throw new Error(JSON.stringify(client));
    this.#clients.push(client);
    await vi.waitUntil(() => client.count('session.created') === 1, { timeout: PATIENCE_MS });
    return client;
  }

  /** Opens a session of the Live API, and asks for what its setup says. */
  async connect(setup: object = {}, path = LIVE_PATH): Promise<RealtimeClient> {
    const client = await RealtimeClient.open(`${this.gateway.url}${path}?key=${this.gateway.key}`, {});
    if (!(client instanceof RealtimeClient)) throw new Error(JSON.stringify(client));
    this.#clients.push(client);
    client.send({ setup: { model: 'models/talk', ...setup } });
    await vi.waitUntil(() => client.closed ?? client.countOf('setupComplete') === 1, {
      timeout: PATIENCE_MS,
    });
    return client;
  }

  /** Asks for a session that is refused. */
  async refuse(...args: KnockArgs): Promise<RefusedHandshake> {
    const answer = await this.knock(...args);
    if (answer instanceof RealtimeClient) throw new Error('The session was opened.');
    return answer;
  }

  /** Rows of the log that have a reason. */
  rowsOf(reason: string) {
    return this.gateway.log.filter((row) => row.reason === reason);
  }

  get charges() {
    return this.gateway.journal.filter(({ phase }) => phase === 'usage');
  }

  /** The first session that the upstream has seen. */
  get session() {
    return this.upstream.sessions[0] as NonNullable<FakeUpstream['sessions'][0]>;
  }

  /** The first session of the Live API that the upstream has seen. */
  get liveSession() {
    return this.upstream.liveSessions[0] as NonNullable<FakeUpstream['liveSessions'][0]>;
  }

  /** What the upstream's meter says, at our price, in nano-dollars. */
  get costOfMeter(): bigint {
    const { billed } = this.upstream.sessions[0] ?? this.liveSession;
    return billed.reduce((sum, { textIn, audioIn, cached, textOut, audioOut }) => {
      const usage = {
        inputTokens: textIn + audioIn,
        cachedInputTokens: cached,
        audioInputTokens: audioIn,
        outputTokens: textOut + audioOut,
        audioOutputTokens: audioOut,
        cacheWriteTokens: 0,
        cacheWrite1hTokens: 0,
        images: 0,
        seconds: 0,
      } as Usage;
      return sum + costOfCall(usage, PRICE).total;
    }, 0n);
  }
}

/** A wallet that covers so many holds, and what it was asked for. */
export function walletFor(holds: number): { wallet: GatewayContext['wallet']; asked: HoldRequest[] } {
  const asked: HoldRequest[] = [];
  const openHold = async (request: HoldRequest) => {
    asked.push(request);
    return asked.length > holds
      ? ({ refused: 'insufficient_balance', message: 'The wallet is empty.' } as const)
      : { granted: request.wanted };
  };
  return { wallet: { openHold } as unknown as GatewayContext['wallet'], asked };
}
