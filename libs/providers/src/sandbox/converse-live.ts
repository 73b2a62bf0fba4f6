import { isObject, type JsonObject, parseObject } from '@mg/protocols';
import type { LocalConversation, LocalPartner } from '../descriptor.js';
import { countTokens, cutToTokens, splitIntoGroups } from './tokens.js';

const ANSWER = 'This answer is simulated: the sandbox heard you, and no model was asked.';
/** A token for each 40 ms: of 16,000 samples a second that are heard, of 24,000 that are said, two bytes each. */
const HEARD_BYTES_PER_TOKEN = 1_280;
const SAID_BYTES_PER_TOKEN = 1_920;
/** Audio of a word. */
const SAID_TOKENS_PER_GROUP = 4;
/** What was said before is forgotten beyond this, as providers do. */
const MOST_PROMPT_TOKENS = 30_000;
const MOST_OUTPUT_TOKENS = 4_096;

/** A simulated session of the Live API: it answers texts, results of functions and the end of audio. */
export const converseLive: LocalConversation = (_call, emit) => new LiveConversation(emit);

class LiveConversation implements LocalPartner {
  readonly #emit: (event: string) => void;
  #speaks = true;
  #most = MOST_OUTPUT_TOKENS;
  #closed = false;
  #textTokens = 0;
  #audioTokens = 0;

  constructor(emit: (event: string) => void) {
    this.#emit = emit;
  }

  receive(text: string): void {
    const message = parseObject(text) ?? {};
    const { setup, clientContent, realtimeInput, toolResponse } = message;
    if (isObject(setup)) return this.#begin(setup);
    if (isObject(realtimeInput)) return this.#hear(realtimeInput);
    this.#textTokens += countTokens(text);
    const isAsked = isObject(clientContent) && clientContent.turnComplete === true;
    if (isAsked || toolResponse !== undefined) this.#answer();
  }

  close(): void {
    this.#closed = true;
  }

  #begin({ generationConfig, systemInstruction }: JsonObject): void {
    const config = isObject(generationConfig) ? generationConfig : {};
    const { responseModalities: modalities, maxOutputTokens } = config;
    this.#speaks = !Array.isArray(modalities) || !modalities.includes('TEXT');
    if (typeof maxOutputTokens === 'number') this.#most = maxOutputTokens;
    if (systemInstruction !== undefined) this.#textTokens += countTokens(JSON.stringify(systemInstruction));
    this.#say({ setupComplete: {} });
  }

  #hear({ audio, text, audioStreamEnd, activityEnd }: JsonObject): void {
    if (isObject(audio) && typeof audio.data === 'string') {
      this.#audioTokens += Math.ceil((audio.data.length * 3) / 4 / HEARD_BYTES_PER_TOKEN);
    }
    if (typeof text === 'string') this.#textTokens += countTokens(text);
    if (typeof text === 'string' || audioStreamEnd === true || activityEnd !== undefined) this.#answer();
  }

  #answer(): void {
    const text = cutToTokens(ANSWER, this.#most);
    let audioTokens = 0;
    for (const group of splitIntoGroups(text)) {
      if (!this.#speaks) this.#produce({ text: group });
      else {
        const tokens = Math.min(SAID_TOKENS_PER_GROUP, this.#most - audioTokens);
        if (tokens <= 0) break;
        audioTokens += tokens;
        const data = Buffer.alloc(tokens * SAID_BYTES_PER_TOKEN).toString('base64');
        this.#produce({ inlineData: { mimeType: 'audio/pcm;rate=24000', data } });
      }
    }
    this.#say({ serverContent: { generationComplete: true } });
    const textTokens = this.#speaks ? 0 : countTokens(text);
    this.#say({
      serverContent: { turnComplete: true },
      usageMetadata: this.#countUsage(textTokens, audioTokens),
    });
    this.#textTokens += textTokens;
    this.#audioTokens += audioTokens;
  }

  #produce(part: JsonObject): void {
    this.#say({ serverContent: { modelTurn: { role: 'model', parts: [part] } } });
  }

  #countUsage(textOut: number, audioOut: number): JsonObject {
    const audioIn = Math.min(this.#audioTokens, MOST_PROMPT_TOKENS);
    const textIn = Math.min(this.#textTokens, MOST_PROMPT_TOKENS - audioIn);
    const details = (text: number, audio: number) => [
      { modality: 'TEXT', tokenCount: text },
      { modality: 'AUDIO', tokenCount: audio },
    ];
    return {
      promptTokenCount: textIn + audioIn,
      responseTokenCount: textOut + audioOut,
      totalTokenCount: textIn + audioIn + textOut + audioOut,
      promptTokensDetails: details(textIn, audioIn),
      responseTokensDetails: details(textOut, audioOut),
    };
  }

  #say(message: JsonObject): void {
    if (!this.#closed) this.#emit(JSON.stringify(message));
  }
}
