import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Behaviour } from './behaviour.js';
import { BEHAVIOURS } from './behaviours.js';
import type { Arrival, Dialect } from './dialects/dialect.js';
import { findDialect } from './dialects/dialects.js';
import { openaiChat } from './dialects/openai-chat.js';
import { BatchStore, type FakeBatches } from './batches/fake-batches.js';
import { type FakeGoogleBatches, GoogleBatchStore } from './batches/fake-google-batches.js';
import { type FakeMessageBatches, MessageBatchStore } from './batches/fake-message-batches.js';
import { serveBatches } from './batches/serve-batches.js';
import { serveGoogleBatches } from './batches/serve-google-batches.js';
import { serveMessageBatches } from './batches/serve-message-batches.js';
import { errorBody } from './failures.js';
import { grantToken, TOKEN_PATH } from './grant-token.js';
import { answerExchange } from './exchanges/answer-exchange.js';
import { findAudioAnswerer } from './exchanges/audio.js';
import { findCachedContentAnswerer } from './exchanges/cached-contents.js';
import { findImageAnswerer } from './exchanges/images.js';
import { describeForm, readForm } from './exchanges/read-form.js';
import { findTextAnswerer } from './exchanges/texts.js';
import { parseJson } from './json.js';
import { KeptResponses, serveKeptResponses } from './kept-responses.js';
import { Meter, type UpstreamCall } from './meter.js';
import type { LiveSession } from './realtime/live-session.js';
import type { RealtimeSession } from './realtime/realtime-session.js';
import { serveRealtime } from './realtime/serve-realtime.js';
import type { Refusal } from './request.js';
import { answerChat } from './respond.js';

export interface FakeUpstreamOptions {
  /** Keys that are let in; without them everyone is. */
  readonly acceptedKeys?: readonly string[];
  /** Port to listen on; a free one by itself. */
  readonly port?: number;
}

/** A provider that speaks every chat dialect on the loopback address, with its own meter, and a token server at `/token`. */
export interface FakeUpstream {
  /** Address without a path: `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Every request since the start or the last reset, oldest first. */
  readonly calls: readonly UpstreamCall[];
  /** Every realtime session since the start or the last reset, oldest first. */
  readonly sessions: readonly RealtimeSession[];
  /** Sessions of the Live API, oldest first. */
  readonly liveSessions: readonly LiveSession[];
  /** OpenAI's batches. */
  readonly batches: FakeBatches;
  /** Anthropic's batches. */
  readonly messageBatches: FakeMessageBatches;
  /** Google's batches. */
  readonly googleBatches: FakeGoogleBatches;
  /** Responses that later requests go on from. */
  readonly keptResponses: KeptResponses;
  /** Sets what a model does, call by call; the last behaviour stays. */
  script(model: string, ...behaviours: readonly [Behaviour, ...Behaviour[]]): void;
  /** Forgets calls and scripts. */
  reset(): void;
  /** The first call, past or to come, that the predicate accepts; five seconds are given to it by default. */
  waitForCall(predicate: (call: UpstreamCall) => boolean, timeoutMs?: number): Promise<UpstreamCall>;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 60_000;
const WAIT_MS = 5_000;

export async function startFakeUpstream(options: FakeUpstreamOptions = {}): Promise<FakeUpstream> {
  const meter = new Meter();
  const batches = new BatchStore();
  const messageBatches = new MessageBatchStore();
  const googleBatches = new GoogleBatchStore();
  const keptResponses = new KeptResponses();
  const scripts = new Map<string, Behaviour[]>();
  const takeBehaviour = (model: string): Behaviour => {
    const script = scripts.get(model);
    if (!script) return findBehaviour(model);
    return (script.length > 1 ? script.shift() : script[0]) ?? {};
  };
  const server = createServer((request, response) => {
    void serve(request, response, {
      meter,
      batches,
      messageBatches,
      googleBatches,
      keptResponses,
      takeBehaviour,
      options,
    });
  });
  // After Node's five seconds a busy test would end connections on which a call is on its way.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const realtime = serveRealtime(server, options.acceptedKeys);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get calls() {
      return meter.calls;
    },
    get sessions() {
      return realtime.sessions;
    },
    get liveSessions() {
      return realtime.liveSessions;
    },
    batches,
    messageBatches,
    googleBatches,
    keptResponses,
    script: (model, ...behaviours) => void scripts.set(model, [...behaviours]),
    reset: () => {
      meter.reset();
      scripts.clear();
      batches.reset();
      messageBatches.reset();
      googleBatches.reset();
      keptResponses.reset();
      realtime.reset();
    },
    waitForCall: (predicate, timeoutMs = WAIT_MS) => meter.waitFor(predicate, timeoutMs),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      realtime.close();
      await closed;
    },
  };
}

/** A behaviour may also stand behind the name of a real model, which says what a provider's model can: `o3--paced`. */
function findBehaviour(model: string): Behaviour {
  return BEHAVIOURS[model] ?? BEHAVIOURS[model.split('--').at(-1) ?? ''] ?? {};
}

interface FakeServer {
  readonly meter: Meter;
  readonly batches: BatchStore;
  readonly messageBatches: MessageBatchStore;
  readonly googleBatches: GoogleBatchStore;
  readonly keptResponses: KeptResponses;
  readonly takeBehaviour: (model: string) => Behaviour;
  readonly options: FakeUpstreamOptions;
}

async function serve(request: IncomingMessage, response: ServerResponse, fake: FakeServer): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake');
  const rawBody = await readBody(request);
  if (rawBody === undefined) return;
  if (path === TOKEN_PATH) {
    const grant = grantToken(rawBody.toString(), fake.options.acceptedKeys?.[0] ?? 'token');
    response.writeHead(grant.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(grant.body));
    return;
  }
  const { method = '', headers } = request;
  const asked = { method, path, query, headers, rawBody };
  if (await serveBatches(asked, response, fake.batches, fake.options.acceptedKeys)) return;
  if (serveMessageBatches(asked, response, fake.messageBatches, fake.options.acceptedKeys)) return;
  if (serveGoogleBatches(asked, response, fake.googleBatches, fake.options.acceptedKeys)) return;
  if (serveKeptResponses(asked, response, fake.keptResponses)) return;
  const form = await readForm(request.headers, rawBody);
  const body = form ? describeForm(form) : parseJson(rawBody);
  const known = findDialect(path);
  const counting = known?.counting?.path.test(path) ? known.counting : undefined;
  const arrived: Arrival = { path, headers: request.headers, body };
  const arrival = counting?.toChat(arrived) ?? arrived;
  const dialect = known ?? openaiChat;
  const call = fake.meter.open({
    method: request.method ?? '',
    path,
    headers: request.headers,
    rawBody,
    body,
    model: dialect.readModel(arrival),
  });
  response.on('finish', () => fake.meter.update(call, { finished: true }));
  response.on('close', () => {
    if (!call.finished) fake.meter.update(call, { aborted: true });
  });
  const answer =
    findTextAnswerer(path) ??
    findAudioAnswerer(path) ??
    findImageAnswerer(path) ??
    findCachedContentAnswerer(path);
  if (body && answer) {
    await answerExchange({ response, call, meter: fake.meter, body, answer }, fake.takeBehaviour);
    return;
  }
  const key = dialect.readKey(arrival.headers);
  const recalled = dialect.keepsAnswers ? fake.keptResponses.recall(key, arrival) : arrival;
  const refusal =
    refuseEarly(request.method ?? '', arrival, known, fake.options) ??
    ('message' in recalled ? toReply(recalled) : undefined);
  const behaviour: Behaviour = refusal
    ? { failure: { kind: 'reply', ...refusal } }
    : fake.takeBehaviour(call.model);
  const whole = 'message' in recalled ? arrival : recalled;
  const keep = dialect.keepsAnswers
    ? (kept: unknown) => fake.keptResponses.keep(key, whole, kept)
    : undefined;
  await answerChat({ response, call, meter: fake.meter, behaviour, dialect, arrival: whole, counting, keep });
}

function toReply({ message, param, code }: Refusal): { readonly status: number; readonly body: unknown } {
  return { status: 400, body: errorBody(message, 'invalid_request_error', code, param) };
}

/** What is answered without looking at the model: unknown routes, wrong keys, the list of models, a body that is no JSON. */
function refuseEarly(
  method: string,
  { path, headers, body }: Arrival,
  dialect: Dialect | undefined,
  { acceptedKeys }: FakeUpstreamOptions,
): { status: number; body: unknown } | undefined {
  const key = (dialect ?? openaiChat).readKey(headers);
  if (acceptedKeys && !acceptedKeys.includes(key)) {
    const message = `Incorrect API key provided: ${key}.`;
    return { status: 401, body: errorBody(message, 'invalid_request_error', 'invalid_api_key') };
  }
  if (method === 'GET' && /^(\/v1)?\/models$/.test(path)) {
    const data = Object.keys(BEHAVIOURS).map((id) => ({ id, object: 'model', created: 0, owned_by: 'fake' }));
    return { status: 200, body: { object: 'list', data } };
  }
  if (method !== 'POST' || !dialect) {
    const message = `Invalid URL (${method} ${path})`;
    return { status: 404, body: errorBody(message, 'invalid_request_error', null) };
  }
  if (body === undefined) {
    const message = 'We could not parse the JSON body of your request.';
    return { status: 400, body: errorBody(message, 'invalid_request_error', null) };
  }
  return undefined;
}

/** The exact bytes of a request, or `undefined` when the client left before it had sent them. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
