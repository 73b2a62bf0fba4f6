import { AsyncLocalStorage } from 'node:async_hooks';
import type { Channel, Task } from '@mg/contract';
import { nameProvider } from '@mg/providers';
import { toTraceparent } from '@mg/runtime';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';

/** The step that is being taken, so that requests within it are below it. */
const currentStep = new AsyncLocalStorage<Context>();

/** Spans of video tasks: one for each step of the worker, and below it one for each request to a provider. */
export class TaskTrace {
  /** @param tracer one that records nothing where traces are off. */
  constructor(private readonly tracer: Tracer = trace.getTracer('off')) {}

  /**
   * Takes a step of a task within a span. All steps of a task, whichever worker takes them, are one trace: its id is the
   * task's, which is also the request id of the call that made it.
   *
   * @param describe what the span says of the outcome.
   */
  async step<Outcome>(
    { id, model }: Pick<Task, 'id' | 'model'>,
    name: string,
    take: () => Promise<Outcome>,
    describe?: (outcome: Outcome) => string,
  ): Promise<Outcome> {
    const attributes = { 'gateway.request_id': id, 'gen_ai.request.model': model };
    const span = this.tracer.startSpan(
      `${name} ${model}`,
      { kind: SpanKind.CONSUMER, attributes },
      toTrace(id),
    );
    return endWith(span, async () => {
      const outcome = await currentStep.run(trace.setSpan(ROOT_CONTEXT, span), take);
      if (describe) span.setAttribute('gateway.outcome', describe(outcome));
      return outcome;
    });
  }

  /**
   * Sends a request to a provider within a span.
   *
   * @param send receives the request's `traceparent`; `undefined` where the task has no trace.
   */
  async request<Reply extends { readonly status: number }>(
    channel: Channel,
    send: (traceparent: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    const attributes = {
      'gen_ai.provider.name': nameProvider(channel.type),
      'gateway.channel': channel.name,
    };
    const options = { kind: SpanKind.CLIENT, attributes };
    const span = this.tracer.startSpan(
      `ask ${channel.name}`,
      options,
      currentStep.getStore() ?? ROOT_CONTEXT,
    );
    return endWith(span, async () => {
      const reply = await send(span.isRecording() ? toTraceparent(span.spanContext()) : undefined);
      span.setAttribute('http.response.status_code', reply.status);
      if (reply.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
      return reply;
    });
  }
}

async function endWith<Result>(span: Span, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
    throw error;
  } finally {
    span.end();
  }
}

/** The trace of a task, which has no span of its own: whether it is sampled depends on its id alone. */
function toTrace(taskId: string): Context {
  const traceId = taskId.replaceAll('-', '');
  const spanId = traceId.slice(16);
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
}
