import { JsonShape, type UpstreamAnswer } from '@mg/protocols';
import type { UpstreamCall, UpstreamReply } from '@mg/transport';
import type { BodyLease } from '../edge/body-budget.js';
import { classifyGarbage, classifyRefusedContent } from './classify-failure.js';
import { OpenedBody } from './opened-body.js';
import { PeekedStream } from './peek-stream.js';
import type { PreparedAttempt, StreamFormat, WholeAnswer } from './prepared-attempt.js';
import { type JsonBody, readWholeBody, receiveJson } from './read-body.js';
import { readFault, readOpening } from './read-fault.js';
import type { AbandonedOutcome, FaultOutcome } from './try-channels.js';

/** A whole answer. */
export interface AnswerOutcome {
  readonly kind: 'answer';
  readonly prepared: PreparedAttempt;
  readonly answer: WholeAnswer;
}

/** A stream whose first event is good. */
export interface StreamOutcome {
  readonly kind: 'stream';
  readonly prepared: PreparedAttempt;
  readonly format: StreamFormat;
  readonly stream: PeekedStream;
  readonly call: UpstreamCall;
}

/** An answer that goes on to the client while it comes in, unread. */
export interface PassthroughOutcome {
  readonly kind: 'passthrough';
  readonly prepared: PreparedAttempt;
  readonly body: OpenedBody;
  readonly contentType: string;
  /** The upstream's header, passed on as text. */
  readonly contentLength: string | undefined;
  readonly call: UpstreamCall;
}

export type ServedOutcome = AnswerOutcome | StreamOutcome | PassthroughOutcome;
/** What an attempt brought. */
export type AttemptOutcome = ServedOutcome | FaultOutcome | AbandonedOutcome;

/** Where the bytes of answers are counted. */
interface AnswerMemory {
  readonly lease: BodyLease;
  readonly operation: { readonly answerBytes: number };
  /** Whether an answer that is nothing but a refusal of the content counts as none. */
  readonly watchesRefusal?: boolean;
}

/**
 * Waits until a channel's answer is known to be good, as its attempt says how.
 *
 * @throws UpstreamFailure when the upstream breaks off, GatewayError when there is no room in memory or it is no answer.
 */
export function takeAnswer(
  prepared: PreparedAttempt,
  sent: readonly UpstreamCall[],
  room: AnswerMemory,
): Promise<AttemptOutcome> {
  const [first] = sent;
  if (!first) return Promise.resolve(fault(classifyGarbage('nothing was asked')));
  if (prepared.stream) return openStream(prepared, prepared.stream, first, room);
  if (prepared.canPassThrough) return openPassthrough(prepared, first, room);
  return readAnswers(prepared, sent, room);
}

async function readAnswers(
  prepared: PreparedAttempt,
  sent: readonly UpstreamCall[],
  room: AnswerMemory,
): Promise<AttemptOutcome> {
  const [first] = sent;
  const replies =
    first && sent.length === 1 ? [await first.reply] : await Promise.all(sent.map((one) => one.reply));
  const failed = replies.find((reply) => reply.status !== 200);
  if (failed) return fault(await readFault(failed, prepared));
  return readWhole(prepared, replies, room);
}

async function openPassthrough(
  prepared: PreparedAttempt,
  call: UpstreamCall,
  room: AnswerMemory,
): Promise<AttemptOutcome> {
  const reply = await call.reply;
  if (reply.status !== 200) return fault(await readFault(reply, prepared));
  const contentType = nameType(reply);
  if (!prepared.canPassThrough?.(contentType)) return readWhole(prepared, [reply], room);
  const body = new OpenedBody(reply);
  if (!(await body.opening)) return fault(classifyGarbage('it answered with nothing'));
  const contentLength = reply.headers['content-length'];
  return { kind: 'passthrough', prepared, body, contentType, contentLength, call };
}

async function openStream(
  prepared: PreparedAttempt,
  format: StreamFormat,
  call: UpstreamCall,
  room: AnswerMemory,
): Promise<AttemptOutcome> {
  const reply = await call.reply;
  if (reply.status !== 200) return fault(await readFault(reply, prepared));
  if (format.isOptional && !nameType(reply).includes('text/event-stream')) {
    reply.markBegun();
    return readWhole(prepared, [reply], room);
  }
  const stream = new PeekedStream(reply, format.framing, format.maxEventBytes);
  const wrong = await readOpening(stream, prepared);
  return wrong ? fault(wrong) : { kind: 'stream', prepared, format, stream, call };
}

async function readWhole(
  prepared: PreparedAttempt,
  replies: readonly UpstreamReply[],
  room: AnswerMemory,
): Promise<AnswerOutcome | FaultOutcome> {
  const count = countBytes(room);
  const [first] = replies;
  const received =
    first && replies.length === 1
      ? [await receiveAnswer(first, prepared, count)]
      : await Promise.all(replies.map((reply) => receiveAnswer(reply, prepared, count)));
  const turn = room.lease.waitForAnswerTurn(received.reduce((sum, { length }) => sum + length, 0));
  if (turn) await turn;
  try {
    const answers: UpstreamAnswer[] = [];
    for (const answer of received) {
      const reading = answer.read();
      answers.push(reading instanceof Promise ? await reading : reading);
    }
    if (room.watchesRefusal && prepared.isRefusal?.(answers)) {
      room.lease.endAnswerTurn();
      return fault(classifyRefusedContent());
    }
    const reading = prepared.readAnswer(answers);
    return { kind: 'answer', prepared, answer: reading instanceof Promise ? await reading : reading };
  } catch (error) {
    // Another channel may take minutes to answer: others are not to wait for it.
    room.lease.endAnswerTurn();
    throw error;
  }
}

/** Counts bytes beyond the room that was reserved before the call was sent. */
function countBytes({ operation, lease }: AnswerMemory): (bytes: number) => void {
  let roomBytes = operation.answerBytes;
  return (bytes) => {
    const beyond = Math.max(0, bytes - roomBytes);
    roomBytes = Math.max(0, roomBytes - bytes);
    lease.take(beyond);
  };
}

/** An answer that has come in and has not been read yet. */
interface ReceivedAnswer {
  readonly length: number;
  read(): UpstreamAnswer | Promise<UpstreamAnswer>;
}

async function receiveAnswer(
  reply: UpstreamReply,
  { limits }: PreparedAttempt,
  count: (bytes: number) => void,
): Promise<ReceivedAnswer> {
  const contentType = nameType(reply);
  if (!limits.isJson && !contentType.includes('json')) {
    const bytes = await readWholeBody(reply, limits.maxBytes, count);
    return { length: bytes.length, read: () => ({ contentType, bytes, parsed: undefined }) };
  }
  const received = await receiveJson(reply, limits.maxBytes, count, new JsonShape(limits.shape));
  const name = ({ bytes, parsed }: JsonBody) => ({ contentType, bytes, parsed });
  return {
    length: received.length,
    read: () => {
      const reading = received.read();
      return reading instanceof Promise ? reading.then(name) : name(reading);
    },
  };
}

function nameType({ headers }: UpstreamReply): string {
  return headers['content-type'] ?? 'application/octet-stream';
}

function fault(value: FaultOutcome['fault']): FaultOutcome {
  return { kind: 'fault', fault: value };
}
