import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import type { Json } from '../json.js';

/** What one response used, as the upstream bills it. */
export interface RealtimeUsage {
  readonly textIn: number;
  readonly audioIn: number;
  readonly cached: number;
  readonly textOut: number;
  readonly audioOut: number;
}

/** What a session does instead of answering at once, by what its model is called: `any--holds`. */
export type RealtimeBehaviour =
  /** A response begins and goes on until it is called off. */
  | 'holds'
  /** The same, and its usage is never told. */
  | 'holds-silently'
  /** The connection breaks within a response. */
  | 'dies'
  /** Every response is refused by an error event. */
  | 'refuses'
  /** The upstream fails at every response before it begins. */
  | 'errs'
  /** The connection breaks when a response is asked for. */
  | 'dies-first'
  /** A response begins a while after it was asked for, and goes on until it is called off. */
  | 'begins-late'
  /** A response is asked for, and nothing comes. */
  | 'says-nothing'
  /** A response fails. */
  | 'fails'
  /** Audio that is committed is answered without being asked. */
  | 'answers-speech'
  /** What a response used is not told. */
  | 'tells-nothing'
  /** The session begins with an error. */
  | 'opens-with-error'
  /** A response reads a whole context of audio, and says as much as it can. */
  | 'costs-most'
  /** It sends what is no event. */
  | 'garbage';

/** What a session that only transcribes does otherwise, by what the model is called that transcribes. */
type TranscriptionBehaviour =
  /** Words come while audio does, and no item is ever said to be there. */
  | 'streams'
  /** Audio becomes an item, and nothing is ever heard of it. */
  | 'awaits'
  /** Nothing is said of what comes in: the test says it. */
  | 'silent'
  /** Usage is told in tokens. */
  | 'counts'
  /** A response begins that nobody asked for. */
  | 'answers';

const HEARD_BYTES_PER_TOKEN = 4_800;
const CHARACTERS_PER_TOKEN = 4;
const TRANSCRIPTION = 'conversation.item.input_audio_transcription';
/** Most tokens that a response reads and says. */
export const MOST_REALTIME_TOKENS = { input: 128_000, output: 4_096 } as const;
const ANSWER = 'A fake answer.';
const ANSWER_AUDIO = Buffer.alloc(9_600).toString('base64');

const HOLDS = new Set<RealtimeBehaviour | undefined>(['holds', 'holds-silently', 'begins-late']);
const TELLS_CANCELLED = new Set<RealtimeBehaviour | undefined>(['holds', 'begins-late']);
const LATE_MS = 300;

/** A session as the upstream saw it, with its own meter. */
export class RealtimeSession {
  /** Every event of the client, oldest first. */
  readonly received: Json[] = [];
  /** What each response used that came to an end, oldest first. */
  readonly billed: RealtimeUsage[] = [];
  /** Seconds of each transcript, oldest first. */
  readonly transcribed: number[] = [];
  #transcriber: string | undefined;
  /** How the client closed it; `undefined` while it is open. */
  closed: number | undefined;
  #textIn = 0;
  #audioIn = 0;
  #known = 0;
  #ids = 0;
  #running: string | undefined;

  constructor(
    readonly model: string,
    readonly headers: IncomingHttpHeaders,
    readonly url: string,
    private readonly socket: WebSocket,
  ) {
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as Json));
    socket.once('close', (code) => (this.closed = code));
    if (this.behaviour === 'opens-with-error') this.say('error', { error: { code: 'server_error' } });
    else this.#describe('session.created');
  }

  get #isTranscribing(): boolean {
    return this.url.includes('intent=transcription');
  }

  get #transcription(): TranscriptionBehaviour | undefined {
    return this.#transcriber?.split('--')[1] as TranscriptionBehaviour | undefined;
  }

  get behaviour(): RealtimeBehaviour | undefined {
    return this.model.split('--')[1] as RealtimeBehaviour | undefined;
  }

  /** Sends an event of any kind. */
  say(type: string, fields: Json): void {
    this.socket.send(JSON.stringify({ type, event_id: this.#nextId('event'), ...fields }));
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Breaks the connection off. */
  drop(): void {
    this.socket.terminate();
  }

  /** Stops reading, as a process that is frozen. */
  freeze(): void {
    this.socket.pause();
  }

  #describe(type: string): void {
    if (this.#isTranscribing) {
      const input = { transcription: { model: this.#transcriber ?? null }, turn_detection: null };
      return this.say(type, { session: { type: 'transcription', audio: { input } } });
    }
    const detection = this.behaviour === 'answers-speech' ? { type: 'server_vad' } : null;
    const audio = { input: { turn_detection: detection }, output: { format: { type: 'audio/pcm' } } };
    this.say(type, { session: { type: 'realtime', model: this.model, audio } });
  }

  #take(event: Json): void {
    this.received.push(event);
    switch (event.type) {
      case 'session.update': {
        const isSilent = this.#transcription === 'silent';
        this.#transcriber = readTranscriber(event) ?? this.#transcriber;
        if (!isSilent) this.#describe('session.updated');
        return;
      }
      case 'transcription_session.update':
        this.#transcriber = readTranscriber(event) ?? this.#transcriber;
        return this.#describe('transcription_session.updated');
      case 'conversation.item.create':
        this.#textIn += Math.ceil(JSON.stringify(event.item).length / CHARACTERS_PER_TOKEN);
        return this.say('conversation.item.added', { item: event.item });
      case 'input_audio_buffer.append':
        this.#audioIn += Math.ceil((String(event.audio).length * 3) / 4 / HEARD_BYTES_PER_TOKEN);
        if (this.#transcription === 'streams') {
          this.say(`${TRANSCRIPTION}.delta`, { item_id: 'item_streamed', delta: 'Heard.' });
        }
        return;
      case 'input_audio_buffer.commit':
        if (this.#transcription !== 'silent') this.#transcribe(this.#nextId('item'));
        if (this.behaviour === 'answers-speech') this.#answer();
        return;
      case 'response.create':
        return this.#takeWish(event);
      case 'response.cancel':
        if (this.#running !== undefined && TELLS_CANCELLED.has(this.behaviour)) {
          this.#end(this.#running, 'cancelled');
        }
        return;
      default:
    }
  }

  #takeWish({ event_id }: Json): void {
    switch (this.behaviour) {
      case 'refuses':
        return this.say('error', {
          error: { type: 'invalid_request_error', code: 'refused', message: 'no', event_id },
        });
      case 'errs':
        return this.say('error', {
          error: { type: 'server_error', code: 'internal_error', message: 'It failed.', event_id },
        });
      case 'dies-first':
        return this.drop();
      case 'says-nothing':
        return;
      case 'begins-late':
        setTimeout(() => this.#answer(), LATE_MS);
        return;
      default:
        this.#answer();
    }
  }

  #transcribe(itemId: string): void {
    this.say('input_audio_buffer.committed', { item_id: itemId });
    if (this.#transcriber === undefined || this.#transcription === 'awaits') return;
    if (this.#transcription === 'answers') return this.#answer();
    if (this.#transcriber === 'fails') {
      return this.say(`${TRANSCRIPTION}.failed`, { item_id: itemId, error: {} });
    }
    this.transcribed.push(2);
    const usage =
      this.#transcription === 'counts'
        ? { type: 'tokens', input_tokens: 20, output_tokens: 3, total_tokens: 23 }
        : { type: 'duration', seconds: 2 };
    this.say(`${TRANSCRIPTION}.completed`, {
      item_id: itemId,
      content_index: 0,
      transcript: 'Heard.',
      usage,
    });
  }

  #answer(): void {
    const id = this.#nextId('resp');
    if (this.behaviour === 'garbage') return this.socket.send('no JSON');
    this.say('response.created', { response: { id, status: 'in_progress' } });
    this.say('rate_limits.updated', { rate_limits: [{ name: 'tokens', limit: 1, remaining: 0 }] });
    this.say('response.output_audio_transcript.delta', { response_id: id, delta: ANSWER });
    this.say('response.output_audio.delta', { response_id: id, delta: ANSWER_AUDIO });
    if (this.behaviour === 'dies') return this.drop();
    this.#running = id;
    if (!HOLDS.has(this.behaviour)) {
      this.#end(id, this.behaviour === 'fails' ? 'failed' : 'completed');
    }
  }

  #end(id: string, status: string): void {
    this.#running = undefined;
    const cached = this.#known;
    const costsMost = this.behaviour === 'costs-most';
    const usage: RealtimeUsage = {
      textIn: costsMost ? 0 : this.#textIn + 10,
      audioIn: costsMost ? MOST_REALTIME_TOKENS.input : this.#audioIn,
      cached: costsMost ? 0 : cached,
      textOut: costsMost ? 0 : Math.ceil(ANSWER.length / CHARACTERS_PER_TOKEN),
      audioOut: costsMost ? MOST_REALTIME_TOKENS.output : 4,
    };
    this.#known = Math.min(usage.textIn, 8);
    this.billed.push(usage);
    const told = this.behaviour === 'tells-nothing' ? {} : { usage: describeUsage(usage) };
    this.say('response.done', { response: { id, status, ...told } });
  }

  #nextId(kind: string): string {
    return `${kind}_fake${++this.#ids}`;
  }
}

function describeUsage({ textIn, audioIn, cached, textOut, audioOut }: RealtimeUsage): Json {
  return {
    total_tokens: textIn + audioIn + textOut + audioOut,
    input_tokens: textIn + audioIn,
    output_tokens: textOut + audioOut,
    input_token_details: {
      text_tokens: textIn,
      audio_tokens: audioIn,
      cached_tokens: cached,
      cached_tokens_details: { text_tokens: cached, audio_tokens: 0 },
    },
    output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
  };
}

function readTranscriber({ session }: Json): string | undefined {
  const { audio, input_audio_transcription: beta } = session as {
    audio?: { input?: { transcription?: { model: string } } };
    input_audio_transcription?: { model: string };
  };
  return (audio?.input?.transcription ?? beta)?.model;
}
