import { isObject, type JsonObject, parseObject } from '@mg/protocols';
import type { LocalPartner } from '../descriptor.js';

const TRANSCRIPT = 'This transcript is simulated: the sandbox heard you, and no model was asked.';
const TRANSCRIPTION = 'conversation.item.input_audio_transcription';
/** Audio of 24,000 samples a second, of two bytes each. */
const BYTES_PER_SECOND = 48_000;

/** A simulated session that only transcribes: whatever is committed has the same words. */
export class TranscribingConversation implements LocalPartner {
  #session: JsonObject = {
    type: 'transcription',
    object: 'realtime.transcription_session',
    id: 'sess_sandbox',
  };
  #closed = false;
  #ids = 0;
  /** Audio that was appended and not yet committed. */
  #bufferedBytes = 0;

  constructor(private readonly emit: (event: string) => void) {
    this.#say('session.created', { session: this.#session });
  }

  receive(message: string): void {
    const { type, session, audio } = parseObject(message) ?? {};
    switch (type) {
      case 'session.update':
      case 'transcription_session.update':
        if (isObject(session)) this.#session = { ...this.#session, ...session };
        return this.#say(`${type}d`, { session: this.#session });
      case 'input_audio_buffer.append':
        this.#bufferedBytes += typeof audio === 'string' ? Math.floor((audio.length * 3) / 4) : 0;
        return;
      case 'input_audio_buffer.clear':
        this.#bufferedBytes = 0;
        return this.#say('input_audio_buffer.cleared', {});
      case 'input_audio_buffer.commit':
        return this.#transcribe();
      default:
    }
  }

  close(): void {
    this.#closed = true;
  }

  #transcribe(): void {
    const seconds = Math.ceil(this.#bufferedBytes / BYTES_PER_SECOND);
    this.#bufferedBytes = 0;
    const place = { item_id: this.#nextId('item'), content_index: 0 };
    this.#say('input_audio_buffer.committed', { item_id: place.item_id, previous_item_id: null });
    this.#say(`${TRANSCRIPTION}.delta`, { ...place, delta: TRANSCRIPT });
    const usage = { type: 'duration', seconds };
    this.#say(`${TRANSCRIPTION}.completed`, { ...place, transcript: TRANSCRIPT, usage });
  }

  #say(type: string, fields: JsonObject): void {
    if (!this.#closed) this.emit(JSON.stringify({ type, event_id: this.#nextId('event'), ...fields }));
  }

  #nextId(kind: string): string {
    return `${kind}_sandbox${++this.#ids}`;
  }
}
