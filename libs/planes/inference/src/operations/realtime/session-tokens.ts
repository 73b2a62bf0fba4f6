import type { Usage } from '@mg/contract';
import type { AudioRates } from '@mg/protocols';

/** Bytes of a text that are a token: what is estimated is rather too much than too little. */
const BYTES_PER_TOKEN = 3;

/** Counts what a session has in its context, roughly, for responses of which the upstream does not say what they used. */
export class SessionTokens {
  rates: AudioRates;
  #text = 0;
  #audio = 0;

  constructor(rates: AudioRates) {
    this.rates = rates;
  }

  /** The client has sent something, in bytes. */
  noteSent({ text, audio }: { readonly text: number; readonly audio: number }): void {
    this.#text += text / BYTES_PER_TOKEN;
    this.#audio += (audio / this.rates.heardBytes) * this.rates.heardTokens;
  }

  /** What a response has read and said is the beginning of the next one's prompt. */
  noteReported({ inputTokens, outputTokens, audioInputTokens = 0, audioOutputTokens = 0 }: Usage): void {
    this.#audio = audioInputTokens + audioOutputTokens;
    this.#text = inputTokens + outputTokens - this.#audio;
  }

  /** @param contextWindow most tokens that a prompt can have, where that is known. */
  estimate(
    contextWindow: number | undefined,
    textBytes: number,
    audioBytes: number,
  ): Pick<Usage, 'inputTokens' | 'audioInputTokens' | 'outputTokens' | 'audioOutputTokens'> {
    const most = contextWindow ?? Infinity;
    const inputTokens = Math.min(most, Math.ceil(this.#text + this.#audio));
    const said = Math.ceil((audioBytes / this.rates.saidBytes) * this.rates.saidTokens);
    return {
      inputTokens,
      audioInputTokens: Math.min(inputTokens, Math.floor(this.#audio)),
      outputTokens: Math.ceil(textBytes / BYTES_PER_TOKEN) + said,
      audioOutputTokens: said,
    };
  }
}
