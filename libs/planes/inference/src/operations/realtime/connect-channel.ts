import { GatewayError, omitUndefined } from '@mg/contract';
import { parseOpenAiError, type SessionProtocol, type SessionWords } from '@mg/protocols';
import { addressRealtime, chooseRealtime, findBaseUrl, findProvider, type RealtimeCall } from '@mg/providers';
import {
  LocalPeer,
  openWebSocket,
  type Peer,
  readRetryAfterMs,
  type RefusedUpgrade,
  UpstreamFailure,
} from '@mg/transport';
import type { CallRecord } from '../../call/call-record.js';
import {
  classifyFailure,
  classifyGarbage,
  classifyRefusal,
  classifyStatus,
  type Fault,
} from '../../call/classify-failure.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type {
  AbandonedOutcome,
  AnsweredOutcome,
  FaultOutcome,
  TimedAttempt,
} from '../../call/try-channels.js';
import { PeekedPeer } from './peeked-peer.js';
import { TranslatedPeer } from './translated-peer.js';

/** An upstream that has begun a session. */
export interface ConnectedOutcome extends AnsweredOutcome {
  readonly kind: 'stream';
  readonly peer: Peer;
  readonly attempt: TimedAttempt;
}

/** What a client asks of an upstream. */
export interface SessionWish {
  readonly protocol: SessionProtocol;
  /** Version of the protocol, where the client named one. */
  readonly version?: string;
  /** Of a client that speaks the beta of the protocol: how upstreams are spoken with that know none. */
  readonly beta?: SessionWords;
  /** Where no model is to be spoken with. */
  readonly intent?: 'transcription';
  /** Whether the client was told already that its session is there: the upstream's own word of it goes no further. */
  readonly isAnnounced?: boolean;
  /** What the upstream is sent first, where the protocol has that, by its own name of the model. */
  opening?(upstreamModel: string): Buffer;
}

/** A handshake needs no minutes, whatever a channel allows for answers. */
const LONGEST_HANDSHAKE_MS = 15_000;
const LOWEST_ERROR = 400;
const NORMAL_CLOSE = 1000;

/**
 * Opens a session with one channel: it counts as open once its first event has come, and that is no error.
 *
 * @param signal aborts when the client leaves.
 */
export async function connectChannel(
  attempt: TimedAttempt,
  wish: SessionWish,
  record: Pick<CallRecord, 'hops' | 'model'>,
  signal: AbortSignal,
  gateway: GatewayContext,
): Promise<ConnectedOutcome | AbandonedOutcome | FaultOutcome> {
  try {
    const opened = await open(attempt, wish, record, signal, gateway);
    if (!opened) return fault(classifyRefusal(refuseProtocol(wish, record.model)));
    if ('status' in opened) return fault(classifyRefused(opened));
    const first = wish.opening?.(attempt.upstreamModel);
    if (first) await opened.send(first);
    const peeked = await PeekedPeer.open(opened, longestWait(attempt), wish.isAnnounced);
    const wrong = findFault(peeked, wish, attempt);
    if (signal.aborted || wrong) opened.close(NORMAL_CLOSE, '');
    if (signal.aborted) return { kind: 'abandoned' };
    if (wrong || !peeked || !('peer' in peeked))
      return fault(wrong ?? classifyGarbage('it began no session'));
    const prepared = { dropped: undefined };
    return { kind: 'stream', prepared, peer: peeked.peer, attempt, isOpenEnded: true };
  } catch (error) {
    if (signal.aborted) return { kind: 'abandoned' };
    if (!(error instanceof UpstreamFailure)) throw error;
    return fault(classifyFailure(error));
  }
}

async function open(
  attempt: TimedAttempt,
  { protocol, version, beta, intent }: SessionWish,
  { hops }: Pick<CallRecord, 'hops'>,
  signal: AbortSignal,
  { keys, installation }: GatewayContext,
): Promise<Peer | RefusedUpgrade | undefined> {
  const { channel, upstreamModel } = attempt;
  const provider = findProvider(channel.type);
  const surface = provider && chooseRealtime(provider, protocol.name, upstreamModel, channel.settings);
  if (!provider || !surface) return undefined;
  const { settings } = channel;
  const words = surface.knowsBeta === false ? beta : undefined;
  const call: RealtimeCall = omitUndefined({
    model: upstreamModel,
    stream: true,
    settings,
    version: (words === undefined && version) || undefined,
    intent,
  });
  const { converse } = surface;
  if (converse) return new LocalPeer((emit) => converse(call, emit));
  const baseUrl = findBaseUrl(provider, channel.baseUrl, channel.settings);
  if (baseUrl === undefined) return undefined;
  const apiKey = attempt.apiKey ?? keys.next(channel);
  const address = addressRealtime(provider, surface, baseUrl, call, apiKey);
  const opened = await openWebSocket({
    ...address,
    openMs: longestWait(attempt),
    installation,
    hops,
    signal,
  });
  return words === undefined || 'status' in opened ? opened : new TranslatedPeer(opened, words);
}

/** What is wrong with a session that is to begin: its first event says why the upstream begins none, as a status would. */
function findFault(
  peeked: Awaited<ReturnType<typeof PeekedPeer.open>>,
  { protocol }: SessionWish,
  { upstreamModel }: TimedAttempt,
): Fault | undefined {
  if (!peeked) return classifyFailure(new UpstreamFailure('timeout', 'it began no session in time'));
  if (!('peer' in peeked)) {
    const status = protocol.statusOfClose(peeked);
    if (status === undefined) return classifyGarbage(`it closed at once (${peeked.code})`);
    return classifyStatus(status, { message: peeked.reason, param: undefined }, undefined);
  }
  const events = protocol.openReader(upstreamModel).read(peeked.first);
  const [event] = events ?? [];
  if (event?.kind === 'session') return undefined;
  return event?.kind === 'error'
    ? classifyGarbage(`its first event is an error (${event.code ?? 'no code'})`)
    : classifyGarbage(`its first message is none of ${protocol.title}`);
}

/** Another channel may speak the protocol; that this one does not is no fault of its. */
function refuseProtocol({ protocol }: SessionWish, model: string): GatewayError {
  const problem = `The model "${model}" has no channel that speaks ${protocol.title}.`;
  return new GatewayError('invalid_request', problem, { param: 'model' });
}

function classifyRefused({ status, headers, body }: RefusedUpgrade): Fault {
  if (status < LOWEST_ERROR) return classifyGarbage(`it answered ${status} and opened no WebSocket`);
  return classifyStatus(status, parseOpenAiError(body), readRetryAfterMs(headers['retry-after'], Date.now()));
}

function longestWait({ timeouts }: TimedAttempt): number {
  return Math.min(timeouts.connectMs + timeouts.firstByteMs, LONGEST_HANDSHAKE_MS);
}

function fault(reason: Fault): FaultOutcome {
  return { kind: 'fault', fault: reason };
}
