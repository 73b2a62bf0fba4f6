import type { GatewayError, Usage } from '@mg/contract';

/** What a client's event means for money, and the bytes that the upstream gets. */
export interface RealtimeClientEvent {
  /** The client's own name of the event; of one that asks for a response always there where the protocol has names. */
  readonly eventId: string | undefined;
  readonly bytes: Buffer;
  /** Whether it asks for a response. */
  readonly createsResponse: boolean;
  /** Whether it says that the audio so far is a piece of speech. */
  readonly commitsAudio: boolean;
  /** Field that brings an image, where there is one. */
  readonly image: string | undefined;
  /** The model that is to transcribe what is heard, as the client calls it; `null` for none any more. */
  readonly transcription: string | null | undefined;
  /** What it adds to what the model reads: bytes of text, and of audio once its base64 is decoded. */
  readonly added: { readonly text: number; readonly audio: number };
}

/** What an event is read with. */
export interface ClientEventContext {
  /** Whether the client may call the session's model so. */
  isOwnModel(name: string): boolean;
  /** The upstream's own name of it. */
  readonly upstreamModel: string;
  /**
   * The upstream's own name of a model that is to transcribe.
   *
   * @throws GatewayError `invalid_request` naming the field.
   */
  nameTranscriber(model: string, param: string): string;
  /** A name for an event that asks for a response and has none. */
  nameEvent(): string;
}

/** What an upstream's event means for money. */
export type RealtimeServerEvent =
  | { readonly kind: 'response-begun'; readonly responseId: string }
  | {
      readonly kind: 'response-ended';
      readonly responseId: string;
      readonly status: 'completed' | 'cancelled' | 'incomplete' | 'failed';
      /** `undefined` where the upstream does not say. */
      readonly usage: Usage | undefined;
    }
  /** A piece of an answer, in bytes. */
  | {
      readonly kind: 'produced';
      readonly responseId: string;
      readonly textBytes: number;
      readonly audioBytes: number;
    }
  /** What a response has used so far, by the upstream's own word. */
  | { readonly kind: 'used'; readonly responseId: string; readonly usage: Usage }
  | {
      readonly kind: 'session';
      /** Whether the upstream begins responses by itself when somebody has spoken. */
      readonly answersSpeech: boolean;
      readonly audio: AudioRates;
      /** The upstream's own name of the model that transcribes, `null` for none; left out where it does not say. */
      readonly transcriber?: string | null | undefined;
    }
  /** Audio has become an item: it is transcribed, where that was asked for. */
  | { readonly kind: 'heard'; readonly itemId: string }
  /** A piece of a transcript has come, maybe before its audio has become an item. */
  | { readonly kind: 'transcribing'; readonly itemId: string }
  | {
      readonly kind: 'transcribed';
      readonly itemId: string;
      /** What came of it; `undefined` where it failed. */
      readonly transcript: string | undefined;
      readonly usage: Usage | undefined;
    }
  | {
      readonly kind: 'error';
      readonly eventId: string | undefined;
      readonly code: string | undefined;
      /** Whether the upstream failed at what it was asked, rather than refused it: it may bill what it had begun. */
      readonly isFailure: boolean;
    }
  /** The upstream will close the session soon. */
  | { readonly kind: 'going-away' }
  /** What says something of the account that the gateway uses, and nothing to its callers. */
  | { readonly kind: 'own-account' }
  | { readonly kind: 'other' };

/** How audio becomes tokens, by the second: for responses of which the upstream does not say what they used. */
export interface AudioRates {
  readonly heardBytes: number;
  readonly heardTokens: number;
  readonly saidBytes: number;
  readonly saidTokens: number;
}

/** Reads the events of one upstream, of which some mean what they do by those before. */
export interface ServerEventReader {
  /** What a message means, in order; `undefined` for what is no event. */
  read(message: Buffer): readonly RealtimeServerEvent[] | undefined;
}

/** Turns messages of a client that speaks an earlier version of a protocol into those of the present one, and back. */
export interface SessionWords {
  toUpstream(message: Buffer): Buffer;
  toClient(message: Buffer): Buffer;
}

/** How a client is told that its session is over. */
export interface SessionClose {
  readonly code: number;
  readonly reason: string;
}

/** What is particular to one protocol of sessions over a WebSocket. */
export interface SessionProtocol {
  readonly name: 'openai-realtime' | 'gemini-live';
  /** What the protocol is called in words for clients. */
  readonly title: string;
  /** Whether the upstream may begin a response at anything that it is sent: a hold is open before it is sent. */
  readonly answersAnything: boolean;
  readonly audio: AudioRates;
  /**
   * Parses a long event of a client in steps, before it is read.
   *
   * @param pause is waited for between two of them.
   * @throws GatewayError `invalid_request` with the name of the member.
   */
  parseLongClientEvent(message: Buffer, pause: () => Promise<void>): Promise<void>;
  /**
   * Reads an event of a client.
   *
   * @throws GatewayError `invalid_request` with the name of the member: for what two readers could read differently, for
   *   events that are not known, and for what would be done by another model or for another price than the session's.
   */
  readClientEvent(message: Buffer, context: ClientEventContext): RealtimeClientEvent;
  /** @param upstreamModel the upstream's own name of the session's model. */
  openReader(upstreamModel: string): ServerEventReader;
  /** Calls a response off. */
  renderCancel(responseId: string): string;
  /** An error as an event; `undefined` where the protocol has none, and errors end sessions. */
  renderError(
    error: GatewayError,
    ids: { readonly event: string; readonly request: string },
  ): string | undefined;
  /** Tells the client that the session ends soon; `undefined` where the protocol has no word for it. */
  renderGoingAway(): string | undefined;
  /** How an error is told by the end of the session; `undefined` where the code of the error is enough. */
  renderClose(error: GatewayError): SessionClose | undefined;
  /** The status of HTTP that says what an upstream means by closing; `undefined` where it means nothing of the kind. */
  statusOfClose(close: SessionClose): number | undefined;
}
