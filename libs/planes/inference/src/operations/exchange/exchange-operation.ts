import { applyVariant, GatewayError, type Model, omitUndefined, type Usage } from '@mg/contract';
import { isKnownBeforeCall } from '@mg/pricing';
import {
  type Exchange,
  type ExchangeAnswer,
  MAX_IMAGE_EVENT_BYTES,
  type OutgoingBody,
  type PreparedCall,
  type UpstreamAnswer,
  VECTOR_SHAPE,
} from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { FastifyRequest } from 'fastify';
import type { CallRecord } from '../../call/call-record.js';
import { DroppedFields, isStrict } from '../../call/dropped-fields.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { AnswerEnd, BilledUsage, Bound, Operation, UsageReport } from '../../call/operation.js';
import type { AnswerLimits, PreparedAttempt, StreamFormat } from '../../call/prepared-attempt.js';
import type { TimedAttempt } from '../../call/try-channels.js';
import { nextTurn } from '../../edge/loop-turns.js';
import type { AnswerImages } from '../../images/image-links.js';
import { baseOf } from '../../edge/public-base.js';
import { boundExchange, type BoundHold } from './bound-exchange.js';
import { fetchExchangeMedia } from './fetch-exchange-media.js';
import { type ExchangeEndpoint, findExchangeEndpoint } from './find-exchange-endpoint.js';
import { approximateExchange, measureExchange } from './measure-exchange.js';

const LIMITS: AnswerLimits = { maxBytes: 96 * 1024 * 1024, isJson: false, shape: VECTOR_SHAPE };

/** What a model that makes images does not do. */
const LACKS: Partial<Record<Exchange['operation'], string>> = {
  'image-edit': 'edits no images',
  'image-variation': 'makes no variations of images',
};

/** A call that is asked once and answered once: embeddings, images, audio, moderation, reranking. */
export class ExchangeOperation implements Operation<BoundHold> {
  readonly kind;
  readonly model;
  readonly stream;
  readonly answerBytes;
  readonly dialect = 'openai-chat';
  readonly framing = 'sse';
  /** The upstream was stopped, and nobody got what it had made by then. */
  readonly chargesUnanswered = false;
  readonly isOrderedOnce;

  /** Whether the caller asked that nothing be left out. */
  readonly #strict: boolean;
  /** Address of this gateway, for links in the answer. */
  readonly #base: string;

  constructor(
    private readonly exchange: Exchange,
    request: FastifyRequest,
    private readonly gateway: GatewayContext,
  ) {
    this.#strict = isStrict(request.headers);
    this.#base = baseOf(request, gateway);
    this.kind = exchange.kind;
    this.model = exchange.model;
    this.stream = exchange.stream;
    this.answerBytes = exchange.answerBytes;
    this.isOrderedOnce = exchange.kind === 'image';
  }

  bound(model: Model, _plan: Plan, record: CallRecord): Bound<BoundHold> {
    return boundExchange(this.exchange, model, record);
  }

  async prepare(attempt: TimedAttempt, hold: BoundHold): Promise<PreparedAttempt | undefined> {
    const { channel, upstreamModel } = attempt;
    const { operation, protocol, batchedAs = protocol } = this.exchange;
    const wanted = { operation, protocol: attempt.inBatch ? batchedAs : protocol };
    const endpoint = findExchangeEndpoint(channel, upstreamModel, wanted);
    if (!endpoint) return this.#refuseWorkOnImages(attempt);
    const { surface, provider } = endpoint;
    const dropped = new DroppedFields();
    const exchange = await fetchExchangeMedia(this.exchange, surface.protocol, this.gateway.mediaFetching);
    const call = exchange.prepare({
      protocol: surface.protocol,
      model: upstreamModel,
      channelType: provider.id,
      traits: surface.traits?.(upstreamModel, channel.settings) ?? {},
      dropped,
    });
    if (!dropped.isEmpty && this.#strict) throw dropped.toRefusal(provider.id);
    const openImages = () => this.gateway.images?.open(this.#base);
    return toAttempt(call, endpoint, { dropped: dropped.isEmpty ? undefined : dropped, openImages }, hold);
  }

  /** Of a model that only makes images no channel edits one: SDKs would ask again and again. */
  #refuseWorkOnImages({ channel }: TimedAttempt): undefined {
    const lack = LACKS[this.exchange.operation];
    if (lack === undefined) return undefined;
    const param = this.exchange.protocol === 'openai-images' ? 'image' : 'contents';
    throw new GatewayError(
      'invalid_request',
      `${param} cannot be used with a channel of type ${channel.type}: its model ${lack}.`,
      { param },
    );
  }

  /** Images that were made are billed to us, whatever of them the client has seen. */
  mustBeReported(): boolean {
    return this.kind === 'image';
  }

  measure({ usage }: UsageReport, { hold }: AnswerEnd<BoundHold>): Promise<BilledUsage> {
    return measureExchange(this.exchange, hold, usage, this.gateway.counter);
  }

  async estimateSent(hold: BoundHold): Promise<Usage> {
    return (await measureExchange(this.exchange, hold, undefined, this.gateway.counter)).usage;
  }

  approximateSent(hold: BoundHold): Usage {
    return approximateExchange(this.exchange, hold);
  }

  billable(usage: Usage): Usage {
    return usage;
  }
}

interface AttemptParts {
  readonly dropped: DroppedFields | undefined;
  /** Where the images of an answer get addresses; nothing where none are kept. */
  readonly openImages: () => AnswerImages | undefined;
}

async function toAttempt(
  call: PreparedCall,
  endpoint: ExchangeEndpoint,
  { dropped, openImages }: AttemptParts,
  { price, variant }: BoundHold,
): Promise<PreparedAttempt> {
  const isPriceKnown = isKnownBeforeCall(applyVariant(price.price, variant));
  return {
    endpoint,
    bodies: await writeBodies(call),
    passedHeaders: {},
    dropped,
    limits: LIMITS,
    stream: describeStream(call),
    // An answer goes on unread where nothing in it is charged for.
    ...omitUndefined({
      canPassThrough: isPriceKnown ? call.canPassThrough?.bind(call) : undefined,
    }),
    async readAnswer(answers) {
      const answer = await readKept(call, answers, openImages());
      const { contentType, usage } = answer;
      const bytes = (await answer.writeInSlices?.(nextTurn)) ?? answer.bytes;
      return { contentType, usage, bytes, readText: () => '' };
    },
    parseUpstreamError: (body) => call.parseUpstreamError(body),
  };
}

/** What is written here may have megabytes. */
async function writeBodies({ bodies }: PreparedCall): Promise<readonly OutgoingBody[]> {
  const written: OutgoingBody[] = [];
  for (const body of bodies) {
    const { contentType, accept } = body;
    const bytes = body.writeInSlices ? await body.writeInSlices(nextTurn) : body.bytes;
    written.push(omitUndefined({ contentType, bytes, accept }));
  }
  return written;
}

/** Images that cannot be kept are answered as if nothing kept them. */
async function readKept(
  call: PreparedCall,
  answers: readonly UpstreamAnswer[],
  images: AnswerImages | undefined,
): Promise<ExchangeAnswer> {
  const answer = call.readAnswer(answers, images?.nameAddress);
  return !images || (await images.keep()) ? answer : call.readAnswer(answers);
}

function describeStream({ createReader }: PreparedCall): StreamFormat | undefined {
  return createReader && { maxEventBytes: MAX_IMAGE_EVENT_BYTES, isOptional: true, createReader };
}
