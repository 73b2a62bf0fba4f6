import { omitUndefined } from '@mg/contract';
import type { StreamStyle } from '../behaviour.js';
import type { Dialect, ErrorFacts, Identity } from '../dialects/dialect.js';
import { readBearer } from '../dialects/read-bearer.js';
import { errorBody } from '../failures.js';
import { isObject, type Json, listObjects, readText } from '../json.js';
import {
  type ChatRequest,
  isRefusal,
  readChatRequest,
  readCount,
  readPromptSchema,
  type Refusal,
} from '../request.js';
import type { Billed } from '../usage.js';
import { composeEvents } from './compose-events.js';
import { describeWhole } from './describe-whole.js';

/** What a chunk reports, for a provider to put in its own order. */
export interface Chunk {
  readonly identity: Identity;
  readonly choices: readonly Json[];
  /** Absent from chunks that report none. */
  readonly usage: Json | undefined;
  readonly isFirst: boolean;
}

/** A provider of chat completions as it really writes them, byte for byte: members in its order, `null`s where it has them. */
export interface LookAlike {
  /** First segment of its address here. */
  readonly name: string;
  /** What follows in the provider's own address. */
  readonly versionPath: string;
  readonly style?: StreamStyle;
  /** Fields that limit the answer; others mean nothing to it. */
  readonly capFields: readonly string[];
  /** What it refuses that OpenAI does not. */
  refuse?(body: Json): Refusal | undefined;
  readonly refusalStatus?: number;
  /** Whether a request asks for reasoning; always, where it need not. */
  thinks?(body: Json): boolean;
  /** Whether it then thinks of everything it is asked. */
  readonly reasonsByDefault?: boolean;

  describeChunk(chunk: Chunk): Json;
  describeChoice(delta: Json, finishReason: string | null): Json;
  readonly opening?: Json;
  reasoningDelta(text: string): Json;
  /** The delta after the reasoning, where a provider signs it. */
  signatureDelta?(thought: string): Json;
  textDelta(text: string, isAfterReasoning: boolean): Json;
  /** How calls travel: in fragments, each whole, or all at once with the end. */
  readonly callsTravel: 'in-fragments' | 'whole' | 'with-the-end';
  describeCall(call: CallFacts): Json;
  /** What stands beside calls in a delta. */
  readonly besideCalls?: Json;
  readonly closing: Json;

  /** What stands in the choice is sent after the end as well, to those who ask for it. */
  readonly usageStands: 'behind-the-end' | 'with-the-end' | 'in-the-choice';
  /** Without it, usage after the end is sent only to those who ask for it. */
  readonly reportsUsageUnasked?: boolean;
  describeUsage(billed: Readonly<Billed>): Json;

  /** The reasoning and the text of a whole answer's message. */
  describeMessage(thought: string, text: string | null): Json;
  describeError?(status: number, facts: ErrorFacts): unknown;
  describeErrorEvent?(facts: ErrorFacts): unknown;
}

/** A call, or a fragment of its arguments; only the first fragment has a name. */
export interface CallFacts {
  readonly index: number;
  readonly id: string;
  readonly name: string | undefined;
  readonly arguments: string;
}

const SAME = (body: unknown): Json => (isObject(body) ? body : {});

/** The dialect of a look-alike, at `/<name><version path>/chat/completions`. */
export function createLookAlike(lookAlike: LookAlike): Dialect {
  const describeError =
    lookAlike.describeError ??
    ((_status, { message, type, code, param }: ErrorFacts): unknown => errorBody(message, type, code, param));
  return {
    path: new RegExp(`^/${lookAlike.name}${lookAlike.versionPath}/chat/completions$`),
    style: lookAlike.style ?? {},
    ...omitUndefined({ refusalStatus: lookAlike.refusalStatus }),
    readKey: readBearer,
    readModel: ({ body }) => readText(SAME(body)['model']),
    readRequest: ({ body }) => readRequest(lookAlike, SAME(body)),
    composeEvents: (context) => composeEvents(lookAlike, context),
    describeAnswer: (context) => describeWhole(lookAlike, context),
    describeError,
    describeErrorEvent: (facts) => ({
      body: lookAlike.describeErrorEvent?.(facts) ?? describeError(500, facts),
    }),
  };
}

function readRequest(lookAlike: LookAlike, body: Json): ChatRequest | Refusal {
  const refusal = lookAlike.refuse?.(body);
  if (refusal) return refusal;
  const request = readChatRequest(body);
  if (isRefusal(request)) return request;
  const thinks = lookAlike.thinks?.(body) ?? true;
  const texts = listObjects(body['messages']).map((message) => message['content']);
  const caps = lookAlike.capFields.map((field) => readCount(body[field]));
  return {
    ...request,
    choices: 1,
    maxTokens: caps.find((cap) => cap !== undefined),
    responseSchema: (isPlainJson(body) ? readPromptSchema(texts) : undefined) ?? request.responseSchema,
    includesReasoning: thinks,
    ...omitUndefined({ reasonsByDefault: thinks && lookAlike.reasonsByDefault ? true : undefined }),
  };
}

function isPlainJson(body: Json): boolean {
  return isObject(body['response_format']) && body['response_format']['type'] === 'json_object';
}
