import { isObject, type JsonObject, parseObject } from '@mg/protocols';
import type { LocalConversation, LocalPartner } from '../descriptor.js';
import { TranscribingConversation } from './transcribe-session.js';
import { countTokens, cutToTokens, splitIntoGroups } from './tokens.js';

const ANSWER = 'This answer is simulated: the sandbox heard you, and no model was asked.';
/** Audio of 24,000 samples a second, of two bytes each: what is heard is a token for each tenth of a second, what is said for each twentieth. */
const HEARD_BYTES_PER_TOKEN = 4_800;
const SAID_BYTES_PER_TOKEN = 2_400;
/** Audio of a word. */
const SAID_TOKENS_PER_GROUP = 4;
/** Instructions and items of a session beyond this are forgotten, oldest first, as providers do. */
const MOST_PROMPT_TOKENS = 30_000;
const MOST_OUTPUT_TOKENS = 4_096;

/** A simulated session of the Realtime API: it answers when it is asked to, and never by itself, or only transcribes. */
export const converse: LocalConversation = ({ model, intent }, emit) =>
  intent === 'transcription' ? new TranscribingConversation(emit) : new Conversation(model, emit);

class Conversation implements LocalPartner {
  readonly #emit: (event: string) => void;
  #session: JsonObject;
  #closed = false;
  #events = 0;
  #textTokens = 0;
  #audioTokens = 0;
  /** Audio that was appended and not yet committed. */
  #bufferedBytes = 0;

  constructor(model: string, emit: (event: string) => void) {
    this.#emit = emit;
    this.#session = {
      type: 'realtime',
      object: 'realtime.session',
      id: 'sess_sandbox',
      model,
      output_modalities: ['audio'],
      instructions: '',
      tools: [],
      max_output_tokens: 'inf',
      audio: { input: { turn_detection: null }, output: { voice: 'sandbox' } },
    };
    this.#say('session.created', { session: this.#session });
  }

  receive(message: string): void {
    const event = parseObject(message) ?? {};
    const name = String(event.type);
    const act = this.#actions.get(name);
    if (act) act(event);
    else this.#refuse(event, `The sandbox does not simulate ${name}.`);
  }

  close(): void {
    this.#closed = true;
  }

  readonly #actions = new Map<string, (event: JsonObject) => void>(
    Object.entries({
      'session.update': ({ session }: JsonObject) => {
        if (isObject(session)) this.#session = { ...this.#session, ...session };
        this.#say('session.updated', { session: this.#session });
      },
      'input_audio_buffer.append': ({ audio }: JsonObject) => {
        this.#bufferedBytes += typeof audio === 'string' ? Math.floor((audio.length * 3) / 4) : 0;
      },
      'input_audio_buffer.clear': () => {
        this.#bufferedBytes = 0;
        this.#say('input_audio_buffer.cleared', {});
      },
      'input_audio_buffer.commit': () => {
        this.#audioTokens += Math.ceil(this.#bufferedBytes / HEARD_BYTES_PER_TOKEN);
        this.#bufferedBytes = 0;
        const id = this.#nextId('item');
        this.#say('input_audio_buffer.committed', { item_id: id, previous_item_id: null });
        const item = { id, type: 'message', role: 'user', status: 'completed', content: [] };
        this.#say('conversation.item.added', { item, previous_item_id: null });
      },
      'conversation.item.create': ({ item }: JsonObject) => {
        const given = isObject(item) ? item : {};
        const added = { id: this.#nextId('item'), ...given };
        this.#textTokens += countTokens(JSON.stringify(item ?? {}));
        this.#say('conversation.item.added', { item: added, previous_item_id: null });
        this.#say('conversation.item.done', { item: added, previous_item_id: null });
      },
      'response.create': ({ response }: JsonObject) => this.#answer(isObject(response) ? response : {}),
    }),
  );

  #answer(asked: JsonObject): void {
    const settings = { ...this.#session, ...asked };
    const { output_modalities: modalities, max_output_tokens: cap } = settings;
    const speaks = !Array.isArray(modalities) || modalities.includes('audio');
    const most = typeof cap === 'number' ? cap : MOST_OUTPUT_TOKENS;
    const id = this.#nextId('resp');
    const itemId = this.#nextId('item');
    const place = { response_id: id, item_id: itemId, output_index: 0, content_index: 0 };
    this.#say('response.created', {
      response: { id, object: 'realtime.response', status: 'in_progress', output: [] },
    });
    const text = cutToTokens(ANSWER, most);
    let audioTokens = 0;
    for (const group of splitIntoGroups(text)) {
      this.#say(`response.${speaks ? 'output_audio_transcript' : 'output_text'}.delta`, {
        ...place,
        delta: group,
      });
      if (!speaks) continue;
      const tokens = Math.min(SAID_TOKENS_PER_GROUP, most - countTokens(text) - audioTokens);
      if (tokens <= 0) continue;
      audioTokens += tokens;
      const silence = Buffer.alloc(tokens * SAID_BYTES_PER_TOKEN).toString('base64');
      this.#say('response.output_audio.delta', { ...place, delta: silence });
    }
    const content = speaks ? { type: 'output_audio', transcript: text } : { type: 'output_text', text };
    const item = { id: itemId, type: 'message', role: 'assistant', status: 'completed', content: [content] };
    this.#say('response.output_item.done', { response_id: id, output_index: 0, item });
    this.#say('response.done', {
      response: {
        id,
        object: 'realtime.response',
        status: text === ANSWER ? 'completed' : 'incomplete',
        output: [item],
        usage: this.#countUsage(countTokens(text), audioTokens, String(settings.instructions ?? '')),
      },
    });
    this.#textTokens += countTokens(text);
  }

  #countUsage(textOut: number, audioOut: number, instructions: string): JsonObject {
    const audioIn = Math.min(this.#audioTokens, MOST_PROMPT_TOKENS);
    const textIn = Math.min(this.#textTokens + countTokens(instructions), MOST_PROMPT_TOKENS - audioIn);
    return {
      total_tokens: audioIn + textIn + textOut + audioOut,
      input_tokens: audioIn + textIn,
      output_tokens: textOut + audioOut,
      input_token_details: { text_tokens: textIn, audio_tokens: audioIn, image_tokens: 0, cached_tokens: 0 },
      output_token_details: { text_tokens: textOut, audio_tokens: audioOut },
    };
  }

  #refuse({ event_id: eventId }: JsonObject, message: string): void {
    const error = {
      type: 'invalid_request_error',
      code: 'not_simulated',
      message,
      param: 'type',
      event_id: eventId,
    };
    this.#say('error', { error });
  }

  #say(type: string, fields: JsonObject): void {
    if (!this.#closed) this.#emit(JSON.stringify({ type, event_id: this.#nextId('event'), ...fields }));
  }

  #nextId(kind: string): string {
    return `${kind}_sandbox${++this.#events}`;
  }
}
