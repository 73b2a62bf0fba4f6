import type { Usage } from '@mg/contract';
import {
  ANSWER_SHAPE,
  findUpstreamProtocol,
  type JsonObject,
  type OutgoingBody,
  type StoredBytes,
  type StreamReader,
  type TextPieces,
  type UpstreamAnswer,
  type UpstreamError,
} from '@mg/protocols';
import { GatewayError } from '@mg/contract';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import type { DroppedFields } from '../../call/dropped-fields.js';
import type {
  AnswerKeeper,
  AnswerLimits,
  PreparedAttempt,
  StreamFormat,
  WholeAnswer,
} from '../../call/prepared-attempt.js';
import type { ChatRequest } from './chat-request.js';

/** A whole answer of a chat, ready for the client. */
export interface ChatAnswer {
  readonly bytes: Buffer;
  readonly usage: Usage | undefined;
  /** What a tokenizer counts where usage is missing. */
  readonly produced: TextPieces;
}

/** What a channel is asked in a chat, and what its answer becomes. */
export interface ChatAttempt {
  /** A large body of the client's own comes in pieces. */
  readonly body: Buffer | StoredBytes;
  readonly dropped: DroppedFields | undefined;
  /** Whether the client's own bytes go out, and the upstream's come back. */
  readonly isNative: boolean;
  /** @param parsed the same answer, parsed. */
  readAnswer(bytes: Buffer, parsed: JsonObject): ChatAnswer | Promise<ChatAnswer>;
  createReader(): StreamReader;
}

const LIMITS: AnswerLimits = { maxBytes: 32 * 1024 * 1024, isJson: true, shape: ANSWER_SHAPE };
const JSON_TYPE = 'application/json; charset=utf-8';

/** What the upstream of an attempt keeps. */
interface KeptUpstream {
  /** Who will keep the answer. */
  readonly keeper?: AnswerKeeper | undefined;
  /** Whether the upstream is to go on from what it keeps. */
  readonly goesOn?: boolean;
  /** Whether it was to, and had it no longer. */
  readonly isForgotten?: boolean | undefined;
}

const GOES_ON = 'goes on from what its upstream keeps';
const FORGOTTEN = 'asked as a whole since its upstream has forgotten the response before';

/** An attempt of a chat as the pipeline sends and reads it. */
export class PreparedChat implements PreparedAttempt {
  readonly limits = LIMITS;
  readonly bodies: readonly OutgoingBody[];
  readonly passedHeaders: Readonly<Record<string, string>>;
  readonly dropped: DroppedFields | undefined;
  readonly repeated: JsonObject | undefined;
  readonly stream: StreamFormat | undefined;
  readonly keeper: AnswerKeeper | undefined;
  readonly note: string | undefined;
  readonly #attempt: ChatAttempt;
  readonly #goesOn: boolean;

  constructor(
    readonly endpoint: ChatEndpoint,
    private readonly request: ChatRequest,
    attempt: ChatAttempt,
    { keeper, goesOn = false, isForgotten = false }: KeptUpstream = {},
  ) {
    this.#attempt = attempt;
    this.#goesOn = goesOn;
    this.keeper = keeper;
    this.note = isForgotten ? FORGOTTEN : goesOn ? GOES_ON : undefined;
    this.bodies = [{ contentType: 'application/json', bytes: attempt.body }];
    this.passedHeaders = passHeaders(endpoint, request);
    this.dropped = attempt.dropped;
    this.repeated = request.envelope.repeated;
    this.stream = request.envelope.stream
      ? {
          framing: endpoint.surface.framing,
          isOptional: false,
          createReader: () => attempt.createReader(),
        }
      : undefined;
  }

  readAnswer([answer]: readonly UpstreamAnswer[]): WholeAnswer | Promise<WholeAnswer> {
    const { parsed, bytes } = answer ?? {};
    if (!bytes || !parsed || !findUpstreamProtocol(this.endpoint.surface.protocol).isAnswer(parsed)) {
      throw new GatewayError('upstream_error', 'its answer is not what its protocol says');
    }
    const reading = this.#attempt.readAnswer(bytes, parsed);
    return reading instanceof Promise ? reading.then(toWholeAnswer) : toWholeAnswer(reading);
  }

  isRefusal([answer]: readonly UpstreamAnswer[]): boolean {
    const { parsed } = answer ?? {};
    const upstream = findUpstreamProtocol(this.endpoint.surface.protocol);
    return parsed !== undefined && upstream.isAnswer(parsed) && upstream.isRefusal(parsed);
  }

  parseUpstreamError(body: string): UpstreamError {
    return findUpstreamProtocol(this.endpoint.surface.protocol).parseUpstreamError(body);
  }

  isForgotten(error: UpstreamError): boolean {
    return this.#goesOn && this.request.protocol.memory?.isForgotten(error) === true;
  }
}

function toWholeAnswer(answer: ChatAnswer): WholeAnswer {
  const { bytes, usage } = answer;
  return { contentType: JSON_TYPE, bytes, usage, readText: () => answer.produced };
}

/** Headers that mean something to an upstream of the client's own protocol; nothing else of the client's goes along. */
export function passHeaders(
  { surface }: Pick<ChatEndpoint, 'surface'>,
  { protocol, headers }: Pick<ChatRequest, 'protocol' | 'headers'>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  if (surface.protocol !== protocol.name) return passed;
  for (const name of surface.passHeaders ?? []) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}
