import { nameProvider } from '@mg/providers';
import { toTraceHeaders } from '@mg/runtime';
import { type Context, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import { nameOperation } from './gen-ai-names.js';
import type {
  AttemptTrace,
  CallTrace,
  TracedAttempt,
  TracedCall,
  TracedOutcome,
  TracedStage,
} from './call-trace.js';

/** Text of callers and upstreams in an attribute. */
const LONGEST_TEXT = 256;
const FIRST_ERROR_STATUS = 400;

interface TracedRequest {
  readonly request: FastifyRequest;
  readonly endpoint: string;
}

/**
 * The trace of a call as spans of OpenTelemetry, by its conventions for generative AI: the call, its stages one after another,
 * and in the stage `send` its attempts. No body is in it, and no key.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export class SpanTrace implements CallTrace {
  readonly #tracer: Tracer;
  readonly #call: Span;
  readonly #context: Context;
  readonly #operation: string;
  #stage: Span | undefined;
  /** That have not ended. */
  readonly #attempts = new Set<Span>();

  constructor(tracer: Tracer, parent: Context, { request, endpoint }: TracedRequest) {
    this.#tracer = tracer;
    this.#operation = nameOperation(endpoint);
    this.#call = tracer.startSpan(
      this.#operation,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'gen_ai.operation.name': this.#operation,
          'http.request.method': request.method,
          'http.route': endpoint,
        },
      },
      parent,
    );
    this.#context = trace.setSpan(parent, this.#call);
  }

  get isRecorded(): boolean {
    return this.#call.isRecording();
  }

  stage(name: TracedStage): void {
    this.#stage?.end();
    this.#stage = this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL }, this.#context);
  }

  attempt({ channel, upstreamModel }: TracedAttempt): AttemptTrace {
    const within = this.#stage ? trace.setSpan(this.#context, this.#stage) : this.#context;
    const span = this.#tracer.startSpan(
      `${this.#operation} ${upstreamModel}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': this.#operation,
          'gen_ai.provider.name': nameProvider(channel.type),
          'gen_ai.request.model': upstreamModel,
          'gateway.channel': channel.name,
        },
      },
      within,
    );
    this.#attempts.add(span);
    return {
      headers: toTraceHeaders(span.spanContext()),
      noteFirstChunk: (ms) => {
        span.setAttribute('gen_ai.request.stream', true);
        span.setAttribute('gen_ai.response.time_to_first_chunk', ms / 1_000);
      },
      end: (outcome) => {
        this.#attempts.delete(span);
        endAttempt(span, outcome);
      },
    };
  }

  end(call: TracedCall | undefined): void {
    // The end of an attempt that ended by an exception was not recorded yet.
    for (const span of this.#attempts) span.end();
    this.#stage?.end();
    if (call) describeCall(this.#call, call, this.#operation);
    else this.#call.setStatus({ code: SpanStatusCode.ERROR });
    this.#call.end();
  }
}

function endAttempt(span: Span, { outcome, status, reason }: TracedOutcome): void {
  span.setAttribute('gateway.outcome', outcome);
  span.setAttribute('gateway.reason', reason.slice(0, LONGEST_TEXT));
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (outcome === 'failed') {
    span.setAttribute('error.type', String(status ?? outcome));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function describeCall(span: Span, call: TracedCall, operation: string): void {
  const { usage } = call;
  const model = call.model.slice(0, LONGEST_TEXT);
  span.updateName(model === '' ? operation : `${operation} ${model}`);
  span.setAttributes({
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'http.response.status_code': call.status,
    'gateway.request_id': call.requestId,
    'gateway.token_id': call.caller.id,
    'gateway.reason': call.reason,
    'gateway.attempts': call.attempts.length - call.skipped,
  });
  if (call.channel !== undefined) span.setAttribute('gateway.channel', call.channel);
  if (call.ttftMs !== undefined) span.setAttribute('gateway.ttft_ms', call.ttftMs);
  if (call.status < FIRST_ERROR_STATUS) return;
  span.setAttribute('error.type', call.errorCode ?? String(call.status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
