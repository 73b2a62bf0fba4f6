import { type LimitScope, toUsdNumber } from '@mg/contract';
import { Counter, Gauge, type Registry } from '@mg/runtime';
import type { CallRecord } from './call-record.js';
import { type Tally, BatchedCounter } from './batched-counter.js';
import { BatchedHistogram, type Distribution } from './batched-histogram.js';
import { GenAiMetrics } from './gen-ai-metrics.js';
import { SessionMetrics } from './session-metrics.js';

const DURATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900];
const TTFT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Figures of one endpoint, model and status. */
interface CallFigures {
  readonly requests: Tally;
  readonly duration: Distribution;
  readonly ofModel: ModelFigures;
}

interface ModelFigures {
  readonly inputTokens: Tally;
  /** Of the input tokens those that the upstream had in its cache. */
  readonly cachedTokens: Tally;
  readonly outputTokens: Tally;
  readonly cost: Tally;
  readonly ttft: Distribution;
}

/** What is read off when metrics are asked for. */
export interface Readings {
  pendingJournalRows(): number;
  heldBodyBytes(): number;
  spooledBytes(): number;
  leases(): number;
}

/** Metrics of the gateway plane. Figures are kept per label set, and labels come from the catalog, so both stay few. */
export class InferenceMetrics {
  readonly #requests: BatchedCounter<'endpoint' | 'model' | 'status'>;
  readonly #duration: BatchedHistogram<'endpoint' | 'model'>;
  readonly #ttft: BatchedHistogram<'model'>;
  readonly #tokens: BatchedCounter<'model' | 'type'>;
  readonly #cached: BatchedCounter<'model'>;
  readonly #cost: BatchedCounter<'model'>;
  readonly #attempts: BatchedCounter<'channel' | 'outcome'>;
  readonly #admissions: Readonly<Record<'lease' | 'billing', Tally>>;
  readonly #limited: BatchedCounter<'scope' | 'limit'>;
  readonly #cache: BatchedCounter<'model' | 'outcome'>;
  readonly #figuresOfCache = new Map<string, Tally>();
  readonly #figuresOfLimits = new Map<string, Tally>();
  readonly #figures = new Map<string, CallFigures>();
  readonly #figuresOfModels = new Map<string, ModelFigures>();
  readonly #figuresOfAttempts = new Map<string, Tally>();
  readonly genAi: GenAiMetrics;
  readonly sessions: SessionMetrics;
  /** Calls in flight. */
  inFlight = 0;
  /** Streams in flight. */
  openStreams = 0;
  readonly estimated: Counter;
  readonly clientAborts: Counter;
  readonly retriesRefused: Counter;
  readonly repricesFailed: Counter;
  readonly unloggedRefusals: Counter;

  constructor(registry: Registry, readings: Readings) {
    const registers = [registry];
    this.#requests = new BatchedCounter(registry, {
      name: 'gateway_requests_total',
      help: 'Calls answered, by endpoint, model slug and status.',
      labelNames: ['endpoint', 'model', 'status'],
    });
    // Without the status: each more label here is seventeen lines for each of its values, in every scrape.
    this.#duration = new BatchedHistogram(registry, {
      name: 'gateway_request_duration_seconds',
      help: 'Time from the arrival of a call to the end of its answer.',
      buckets: DURATION_BUCKETS,
    });
    this.#ttft = new BatchedHistogram(registry, {
      name: 'gateway_time_to_first_token_seconds',
      help: 'Time from the arrival of a streamed call to its first byte.',
      buckets: TTFT_BUCKETS,
    });
    this.#tokens = new BatchedCounter(registry, {
      name: 'gateway_tokens_total',
      help: 'Tokens billed, by model slug and type.',
      labelNames: ['model', 'type'],
    });
    this.#cached = new BatchedCounter(registry, {
      name: 'gateway_cached_input_tokens_total',
      help: 'Input tokens that upstreams had in their caches, by model slug; they are among the input tokens.',
      labelNames: ['model'],
    });
    this.#cost = new BatchedCounter(registry, {
      name: 'gateway_cost_usd_total',
      help: 'What calls cost their callers in USD, by model slug. For charts: the ledger is exact.',
      labelNames: ['model'],
    });
    this.#attempts = new BatchedCounter(registry, {
      name: 'gateway_upstream_attempts_total',
      help: 'Attempts at upstream channels, by channel and outcome.',
      labelNames: ['channel', 'outcome'],
    });
    this.#limited = new BatchedCounter(registry, {
      name: 'gateway_limited_total',
      help: 'Limits that calls met: 429 of a key, wallet, user or model; a channel that was passed over.',
      labelNames: ['scope', 'limit'],
    });
    this.#cache = createCacheCounter(registry);
    this.#admissions = createAdmissions(registry);
    this.genAi = new GenAiMetrics(registry);
    this.sessions = new SessionMetrics(registry);
    showReading(registry, 'gateway_inflight_requests', 'Calls in flight.', () => this.inFlight);
    showReading(registry, 'gateway_inflight_streams', 'Streams in flight.', () => this.openStreams);
    this.estimated = new Counter({
      name: 'gateway_usage_estimated_total',
      help: 'Calls whose usage a tokenizer counted because the upstream did not report it.',
      registers,
    });
    this.clientAborts = createClientAborts(registry);
    this.retriesRefused = new Counter({
      name: 'gateway_retries_refused_total',
      help: 'Calls that were not tried at another channel, since a tenth of the calls were retries already.',
      registers,
    });
    this.repricesFailed = createRepricesFailed(registry);
    this.unloggedRefusals = createUnloggedRefusals(registry);
    showReadings(registry, readings);
  }

  /** Counts a call at its end. @param model a slug of the catalog, or `other`. */
  observeCall(call: CallRecord, model: string): void {
    const { requests, duration, ofModel } = this.#figuresOf(call.endpoint, model, call.status);
    requests.value++;
    duration.observe(call.elapsedMs() / 1_000);
    ofModel.inputTokens.value += call.usage.inputTokens;
    ofModel.cachedTokens.value += call.usage.cachedInputTokens;
    ofModel.outputTokens.value += call.usage.outputTokens;
    ofModel.cost.value += toUsdNumber(call.cost);
    if (call.ttftMs !== undefined) ofModel.ttft.observe(call.ttftMs / 1_000);
    if (call.estimated) this.estimated.inc();
    this.genAi.observeCall(call, model);
  }

  countAdmission(by: 'lease' | 'billing'): void {
    this.#admissions[by].value++;
  }

  /** A limit was reached. */
  countLimited(scope: LimitScope, limit: string): void {
    const key = `${scope} ${limit}`;
    let tally = this.#figuresOfLimits.get(key);
    if (!tally) {
      tally = this.#limited.open({ scope, limit });
      this.#figuresOfLimits.set(key, tally);
    }
    tally.value++;
  }

  /** The response cache was asked. @param model a slug of the catalog. */
  countCache(model: string, outcome: 'hit' | 'miss'): void {
    const key = `${outcome} ${model}`;
    let tally = this.#figuresOfCache.get(key);
    if (!tally) {
      tally = this.#cache.open({ model, outcome });
      this.#figuresOfCache.set(key, tally);
    }
    tally.value++;
  }

  countAttempt(channel: string, outcome: string): void {
    const key = `${outcome} ${channel}`;
    let tally = this.#figuresOfAttempts.get(key);
    if (!tally) {
      tally = this.#attempts.open({ channel, outcome });
      this.#figuresOfAttempts.set(key, tally);
    }
    tally.value++;
  }

  #figuresOf(endpoint: string, model: string, status: number): CallFigures {
    const key = `${endpoint} ${model} ${status}`;
    let figures = this.#figures.get(key);
    if (!figures) {
      figures = {
        requests: this.#requests.open({ endpoint, model, status: String(status) }),
        duration: this.#duration.open({ endpoint, model }),
        ofModel: this.#figuresOfModel(model),
      };
      this.#figures.set(key, figures);
    }
    return figures;
  }

  #figuresOfModel(model: string): ModelFigures {
    let figures = this.#figuresOfModels.get(model);
    if (!figures) {
      figures = {
        inputTokens: this.#tokens.open({ model, type: 'input' }),
        cachedTokens: this.#cached.open({ model }),
        outputTokens: this.#tokens.open({ model, type: 'output' }),
        cost: this.#cost.open({ model }),
        ttft: this.#ttft.open({ model }),
      };
      this.#figuresOfModels.set(model, figures);
    }
    return figures;
  }
}

function createClientAborts(registry: Registry): Counter {
  return new Counter({
    name: 'gateway_client_aborts_total',
    help: 'Streams that the client left before their end.',
    registers: [registry],
  });
}

function createUnloggedRefusals(registry: Registry): Counter {
  return new Counter({
    name: 'gateway_refusals_unlogged_total',
    help: 'Refused calls that are not in the log, since their keys have had many of them.',
    registers: [registry],
  });
}

function createRepricesFailed(registry: Registry): Counter {
  return new Counter({
    name: 'gateway_hold_reprices_failed_total',
    help: 'Holds that keep their earlier price, since billing could not change it.',
    registers: [registry],
  });
}

function createCacheCounter(registry: Registry): BatchedCounter<'model' | 'outcome'> {
  return new BatchedCounter(registry, {
    name: 'gateway_cache_lookups_total',
    help: 'Calls that asked for a repeated answer, by model slug and whether there was one: hit or miss.',
    labelNames: ['model', 'outcome'],
  });
}

function createAdmissions(registry: Registry): Record<'lease' | 'billing', Tally> {
  const admissions = new BatchedCounter(registry, {
    name: 'gateway_admissions_total',
    help: 'Calls for which money was set aside, by who did it: a lease in memory, or billing, which was asked.',
    labelNames: ['by'],
  });
  return { lease: admissions.open({ by: 'lease' }), billing: admissions.open({ by: 'billing' }) };
}

function showReadings(registry: Registry, readings: Readings): void {
  showReading(registry, 'gateway_journal_pending_rows', 'Usage rows not yet written to Postgres.', () =>
    readings.pendingJournalRows(),
  );
  showReading(
    registry,
    'gateway_request_body_bytes',
    'Bytes of bodies that are held in memory for calls in flight.',
    () => readings.heldBodyBytes(),
  );
  showReading(
    registry,
    'gateway_leases',
    'Leases that this gateway admits calls from, or has not given back yet.',
    () => readings.leases(),
  );
  showReading(
    registry,
    'gateway_spooled_bytes',
    'Bytes of large files that wait on disk for calls in flight.',
    () => readings.spooledBytes(),
  );
}

/** A figure that is read off when metrics are asked for. */
function showReading(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}
