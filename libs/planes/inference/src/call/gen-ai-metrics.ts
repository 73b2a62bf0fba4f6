import { nameProvider } from '@mg/providers';
import type { Registry } from '@mg/runtime';
import { nameOperation } from '../trace/gen-ai-names.js';
import { BatchedHistogram, type Distribution } from './batched-histogram.js';
import type { CallRecord } from './call-record.js';

/** As the conventions want them, so that figures of several programs can be added up. */
const DURATION_BUCKETS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power);
const TTFT_BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

type ModelLabel = 'gen_ai_operation_name' | 'gen_ai_request_model';
type AttemptLabel = ModelLabel | 'gen_ai_provider_name' | 'error_type';
type TokenLabel = ModelLabel | 'gen_ai_token_type';

/** What of an attempt is a figure. */
export interface MeasuredAttempt {
  readonly endpoint: string;
  readonly channelType: string;
  /** Slug of the catalog. */
  readonly model: string;
  /** Why it failed, of a few kinds; empty where it did not. */
  readonly errorType: string;
  readonly ms: number;
}

interface ModelFigures {
  readonly input: Distribution;
  readonly output: Distribution;
  readonly ttft: Distribution;
}

/**
 * Figures by the names of OpenTelemetry's conventions for generative AI, beside our own, for dashboards that know these. All
 * labels come from the catalog and from lists of ours.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
 */
export class GenAiMetrics {
  readonly #attempts: BatchedHistogram<AttemptLabel>;
  readonly #tokens: BatchedHistogram<TokenLabel>;
  readonly #ttft: BatchedHistogram<ModelLabel>;
  readonly #figuresOfAttempts = new Map<string, Distribution>();
  readonly #figuresOfModels = new Map<string, ModelFigures>();

  constructor(registry: Registry) {
    this.#attempts = new BatchedHistogram(registry, {
      name: 'gen_ai_client_operation_duration_seconds',
      help: 'Time of an attempt at an upstream until its answer is known to be good, or until it failed.',
      buckets: DURATION_BUCKETS,
    });
    this.#tokens = new BatchedHistogram(registry, {
      name: 'gen_ai_client_token_usage',
      help: 'Tokens of a call.',
      buckets: TOKEN_BUCKETS,
    });
    this.#ttft = new BatchedHistogram(registry, {
      name: 'gen_ai_server_time_to_first_token_seconds',
      help: 'Time from the arrival of a streamed call to its first byte.',
      buckets: TTFT_BUCKETS,
    });
  }

  observeAttempt({ endpoint, channelType, model, errorType, ms }: MeasuredAttempt): void {
    const key = `${endpoint} ${channelType} ${errorType} ${model}`;
    let figures = this.#figuresOfAttempts.get(key);
    if (!figures) {
      figures = this.#attempts.open({
        gen_ai_operation_name: nameOperation(endpoint),
        gen_ai_request_model: model,
        gen_ai_provider_name: nameProvider(channelType),
        error_type: errorType,
      });
      this.#figuresOfAttempts.set(key, figures);
    }
    figures.observe(ms / 1_000);
  }

  /** @param model a slug of the catalog, or `other`. */
  observeCall(
    { endpoint, usage, ttftMs }: Pick<CallRecord, 'endpoint' | 'usage' | 'ttftMs'>,
    model: string,
  ): void {
    if (usage.inputTokens === 0 && usage.outputTokens === 0 && ttftMs === undefined) return;
    const { input, output, ttft } = this.#figuresOf(endpoint, model);
    if (usage.inputTokens > 0) input.observe(usage.inputTokens);
    if (usage.outputTokens > 0) output.observe(usage.outputTokens);
    if (ttftMs !== undefined) ttft.observe(ttftMs / 1_000);
  }

  #figuresOf(endpoint: string, model: string): ModelFigures {
    const key = `${endpoint} ${model}`;
    let figures = this.#figuresOfModels.get(key);
    if (!figures) {
      const labels = { gen_ai_operation_name: nameOperation(endpoint), gen_ai_request_model: model };
      figures = {
        input: this.#tokens.open({ ...labels, gen_ai_token_type: 'input' }),
        output: this.#tokens.open({ ...labels, gen_ai_token_type: 'output' }),
        ttft: this.#ttft.open(labels),
      };
      this.#figuresOfModels.set(key, figures);
    }
    return figures;
  }
}
