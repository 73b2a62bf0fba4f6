import {
  type Asking,
  type ExchangeAnswer,
  JsonShape,
  MAX_PICTURE_EVENT_BYTES,
  parseObject,
  type StreamReader,
  type UpstreamAnswer,
} from '@mg/protocols';
import type { UpstreamCall, UpstreamReply } from '@mg/transport';
import { classifyGarbage } from '../call/classify-failure.js';
import type { DroppedFields } from '../call/dropped-fields.js';
import { OpenedBody } from '../call/opened-body.js';
import { PeekedStream } from '../call/peek-stream.js';
import { readWholeBody } from '../call/read-body.js';
import { readFault, readOpening } from '../call/read-fault.js';
import type { AbandonedOutcome, FaultOutcome } from '../call/try-channels.js';
import { isHeavy, nextTurn } from '../http/loop-turns.js';
import type { ExchangeCall } from './exchange-call.js';

const MAX_ANSWER_BYTES = 96 * 1024 * 1024;

/** One attempt's way: what is asked, and what was left out of it. */
export interface ExchangeLane extends Asking {
  readonly dropped: DroppedFields | undefined;
}

/** A lane whose answer is a stream. */
export interface StreamingLane extends ExchangeLane {
  createReader(): StreamReader;
}

/** An answer that goes on to the client while it comes in, unread. */
export interface Passage {
  readonly lane: ExchangeLane;
  readonly body: OpenedBody;
  readonly contentType: string;
  /** As the upstream told it; text, for it only goes on. */
  readonly contentLength: string | undefined;
  readonly call: UpstreamCall;
}

export type ExchangeOutcome =
  | { readonly kind: 'answer'; readonly lane: ExchangeLane; readonly answer: ExchangeAnswer }
  | {
      readonly kind: 'stream';
      readonly lane: StreamingLane;
      readonly stream: PeekedStream;
      readonly call: UpstreamCall;
    }
  | ({ readonly kind: 'passage' } & Passage)
  | FaultOutcome
  | AbandonedOutcome;

/** Reads all answers of a lane into memory, as far as the call may hold it. @throws GatewayError when it may not. */
export async function readAnswers(
  lane: ExchangeLane,
  calls: readonly UpstreamCall[],
  call: ExchangeCall,
): Promise<ExchangeOutcome> {
  const replies = await Promise.all(calls.map((one) => one.reply));
  const failed = replies.find((reply) => reply.status !== 200);
  if (failed) return fault(await readFault(failed, lane.readComplaint));
  const count = countBytes(call);
  const answers = await Promise.all(replies.map((reply) => readAnswer(reply, count)));
  return { kind: 'answer', lane, answer: lane.readAnswer(answers) };
}

/** Waits for the first byte of an answer that goes on unread. */
export async function openPassage(
  lane: ExchangeLane,
  calls: readonly UpstreamCall[],
  call: ExchangeCall,
): Promise<ExchangeOutcome> {
  const [asked] = calls;
  if (!asked) return fault(classifyGarbage('nothing was asked'));
  const reply = await asked.reply;
  if (reply.status !== 200) return fault(await readFault(reply, lane.readComplaint));
  const contentType = nameType(reply);
  if (!lane.passesUnread?.(contentType)) {
    return { kind: 'answer', lane, answer: lane.readAnswer([await readAnswer(reply, countBytes(call))]) };
  }
  const body = new OpenedBody(reply);
  if (!(await body.opening)) return fault(classifyGarbage('it answered with nothing'));
  const contentLength = reply.headers['content-length'];
  return { kind: 'passage', lane, body, contentType, contentLength, call: asked };
}

/** Waits for the first event of a stream. */
export async function openStream(
  lane: StreamingLane,
  calls: readonly UpstreamCall[],
  call: ExchangeCall,
): Promise<ExchangeOutcome> {
  const [asked] = calls;
  if (!asked) return fault(classifyGarbage('nothing was asked'));
  const reply = await asked.reply;
  if (reply.status !== 200) return fault(await readFault(reply, lane.readComplaint));
  // Some models ignore the wish for a stream.
  if (!nameType(reply).includes('text/event-stream')) {
    reply.markBegun();
    return { kind: 'answer', lane, answer: lane.readAnswer([await readAnswer(reply, countBytes(call))]) };
  }
  const stream = new PeekedStream(reply, undefined, MAX_PICTURE_EVENT_BYTES);
  const wrong = await readOpening(stream, lane.readComplaint);
  return wrong ? fault(wrong) : { kind: 'stream', lane, stream, call: asked };
}

/** Counts what comes beyond the room that was taken before anybody was asked. */
function countBytes({ exchange, lease }: ExchangeCall): (bytes: number) => void {
  let roomBytes = exchange.answerBytes;
  return (bytes) => {
    const beyond = Math.max(0, bytes - roomBytes);
    roomBytes = Math.max(0, roomBytes - bytes);
    lease.take(beyond);
  };
}

async function readAnswer(reply: UpstreamReply, count: (bytes: number) => void): Promise<UpstreamAnswer> {
  const contentType = nameType(reply);
  const isJson = contentType.includes('json');
  const bytes = await readWholeBody(reply, MAX_ANSWER_BYTES, count, isJson ? new JsonShape(true) : undefined);
  if (isJson && isHeavy(bytes.length)) await nextTurn();
  const parsed = isJson ? parseObject(bytes.toString('utf8')) : undefined;
  return { contentType, bytes, parsed };
}

function nameType({ headers }: UpstreamReply): string {
  return headers['content-type'] ?? 'application/octet-stream';
}

function fault(value: FaultOutcome['fault']): FaultOutcome {
  return { kind: 'fault', fault: value };
}
