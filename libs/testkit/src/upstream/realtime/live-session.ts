import type { IncomingHttpHeaders } from 'node:http';
import { omitUndefined } from '@mg/contract';
import type { WebSocket } from 'ws';
import type { Json } from '../json.js';
import type { RealtimeUsage } from './realtime-session.js';

/** What a session of the Live API does instead of answering at once, by what its model is called: `any--holds`. */
export type LiveBehaviour =
  /** A turn begins and goes on until it is interrupted. */
  | 'holds'
  /** The same, and what it used is not told. */
  | 'holds-silently'
  /** The connection breaks within a turn. */
  | 'dies'
  /** The usage of a turn comes in a message of its own, after its end. */
  | 'tells-late'
  /** The usage of a turn is told with its first piece, with its last, and once more. */
  | 'tells-often'
  /** What a turn used is not told. */
  | 'tells-nothing'
  /** A function is called before the answer. */
  | 'calls'
  /** Audio is not answered, and what was heard is told as used. */
  | 'is-silent'
  /** The web is searched. */
  | 'searches'
  /** The web is searched thirty times. */
  | 'searches-often'
  /** Whatever comes after the setup is refused as invalid. */
  | 'refuses'
  /** The setup is refused for the key. */
  | 'refuses-key'
  /** The setup is refused as invalid. */
  | 'refuses-setup'
  /** The session is told to end soon, and how to go on with it. */
  | 'goes-away'
  /** It sends what is no message. */
  | 'garbage';

const HEARD_BYTES_PER_TOKEN = 1_280;
const CHARACTERS_PER_TOKEN = 4;
const ANSWER_AUDIO = Buffer.alloc(7_680).toString('base64');
const AUDIO_OUT = 4;
const THOUGHTS = 3;

/** A session of the Live API as the upstream saw it, with its own meter. */
export class LiveSession {
  /** Every message of the client, oldest first. */
  readonly received: Json[] = [];
  /** What each turn used that came to an end, oldest first; its text includes thoughts. */
  readonly billed: RealtimeUsage[] = [];
  /** How the client closed it; `undefined` while it is open. */
  closed: number | undefined;
  model = '';
  #textIn = 0;
  #audioIn = 0;
  #isRunning = false;

  constructor(
    readonly headers: IncomingHttpHeaders,
    readonly url: string,
    private readonly socket: WebSocket,
  ) {
    socket.on('message', (data) => this.#take(toCamelNames(JSON.parse(String(data)) as Json)));
    socket.once('close', (code) => (this.closed = code));
  }

  get behaviour(): LiveBehaviour | undefined {
    return this.model.split('--')[1] as LiveBehaviour | undefined;
  }

  say(message: Json): void {
    this.socket.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Ends a turn that goes on. */
  finish(): void {
    this.#end();
  }

  #take(message: Json): void {
    this.received.push(message);
    const { setup, clientContent, realtimeInput, toolResponse } = message as Record<string, Json | undefined>;
    if (setup) return this.#begin(setup);
    if (this.behaviour === 'refuses') return this.close(1007, 'Request contains an invalid argument.');
    if (realtimeInput) return this.#hear(realtimeInput);
    if (clientContent?.turns || toolResponse) {
      this.#textIn += Math.ceil(JSON.stringify(message).length / CHARACTERS_PER_TOKEN);
    }
    if (this.#isRunning && clientContent) return this.#interrupt(clientContent);
    if (toolResponse || clientContent?.turnComplete) this.#answer(toolResponse !== undefined);
  }

  #begin(setup: Json): void {
    this.model = String(setup.model).replace(/^models\//, '');
    if (this.behaviour === 'refuses-key') return this.close(1007, 'API key not valid. Pass a valid API key.');
    if (this.behaviour === 'refuses-setup') return this.close(1007, 'Invalid voice: nobody.');
    this.say({ setupComplete: {} });
    if (this.behaviour !== 'goes-away') return;
    this.say({ sessionResumptionUpdate: { newHandle: 'handle-of-the-account', resumable: true } });
    this.say({ goAway: { timeLeft: '10s' } });
  }

  #hear({ audio, text, activityEnd, audioStreamEnd }: Json): void {
    const { data } = (audio ?? {}) as { data?: string };
    if (data) this.#audioIn += Math.ceil((data.length * 3) / 4 / HEARD_BYTES_PER_TOKEN);
    if (text) this.#textIn += Math.ceil(String(text).length / CHARACTERS_PER_TOKEN);
    const isOver = activityEnd !== undefined || audioStreamEnd !== undefined;
    if (isOver && this.behaviour === 'is-silent') {
      this.say({ usageMetadata: this.#bill(0, 0) });
      return;
    }
    if (isOver || text) this.#answer(false);
  }

  #interrupt({ turnComplete }: Json): void {
    if (this.behaviour === 'holds-silently') return;
    this.say({ serverContent: { interrupted: true } });
    this.#end();
    if (turnComplete) this.#answer(false);
  }

  #answer(isAfterCall: boolean): void {
    if (this.behaviour === 'garbage') return this.socket.send('no JSON');
    if (this.behaviour === 'calls' && !isAfterCall) {
      const functionCalls = [{ id: 'call-1', name: 'look_up', args: { place: 'here' } }];
      return this.say({ toolCall: { functionCalls }, usageMetadata: this.#bill(5, 0) });
    }
    this.#isRunning = true;
    const first = { serverContent: { modelTurn: { parts: [{ text: 'Hm.', thought: true }] } } };
    this.say(this.behaviour === 'tells-often' ? { ...first, usageMetadata: this.#describe(1, 0) } : first);
    this.say({
      serverContent: {
        modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: ANSWER_AUDIO } }] },
      },
    });
    this.say({ serverContent: { outputTranscription: { text: 'A fake answer.' } } });
    if (this.behaviour === 'dies') return this.socket.terminate();
    if (this.behaviour === 'holds' || this.behaviour === 'holds-silently') return;
    this.say({ serverContent: { generationComplete: true } });
    this.#end();
  }

  #end(): void {
    this.#isRunning = false;
    const usageMetadata = this.#bill(0, AUDIO_OUT);
    const queries = this.#listQueries();
    const grounding = queries.length > 0 && { groundingMetadata: { webSearchQueries: queries } };
    const serverContent = { turnComplete: true, ...grounding };
    switch (this.behaviour) {
      case 'tells-nothing':
        return this.say({ serverContent });
      case 'tells-late':
        this.say({ serverContent });
        this.say({ serverContent: { inputTranscription: { text: 'Heard.' } } });
        return this.say({ usageMetadata });
      case 'tells-often':
        this.say({ serverContent, usageMetadata });
        return this.say({ usageMetadata });
      default:
        this.say({ serverContent, usageMetadata });
    }
  }

  #listQueries(): string[] {
    if (this.behaviour === 'searches') return ['one', 'two', 'one'];
    return this.behaviour === 'searches-often' ? Array.from({ length: 30 }, (_, n) => `query ${n}`) : [];
  }

  #bill(text: number, audio: number): Json {
    const thoughts = audio === 0 ? 0 : THOUGHTS;
    this.billed.push({
      textIn: this.#textIn + 10,
      audioIn: this.#audioIn,
      cached: 0,
      textOut: text + thoughts,
      audioOut: audio,
    });
    return this.#describe(text, audio);
  }

  /** Of the prompt, ten tokens are of no kind that is told. */
  #describe(text: number, audio: number): Json {
    const textIn = this.#textIn;
    const audioIn = this.#audioIn;
    return omitUndefined({
      promptTokenCount: textIn + audioIn + 10,
      responseTokenCount: text + audio,
      thoughtsTokenCount: audio > 0 ? THOUGHTS : undefined,
      totalTokenCount: textIn + audioIn + 10 + text + audio,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: textIn },
        { modality: 'AUDIO', tokenCount: audioIn },
      ],
      responseTokensDetails: [
        { modality: 'TEXT', tokenCount: text },
        { modality: 'AUDIO', tokenCount: audio },
      ],
    });
  }
}

/** Google reads names of members in both spellings; its SDK for Python calls messages `client_content` and the like. */
function toCamelNames(message: Json): Json {
  const toCamel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [toCamel(name), value]));
}
