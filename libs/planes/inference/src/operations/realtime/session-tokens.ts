import type { Usage } from '@mg/contract';

/** Bytes of a text that are a token: what is estimated is rather too much than too little. */
const BYTES_PER_TOKEN = 3;
/** What is heard is a token for each tenth of a second, what is said for each twentieth: OpenAI's own measure. */
const HEARD_PER_SECOND = 10;
const SAID_PER_SECOND = 20;
const PCM_BYTES_PER_SECOND = 48_000;

/**
 * Counts what a session has in its context, roughly, for responses of which the upstream does not say what they used.
 *
 * @see https://platform.openai.com/docs/guides/realtime-costs
 */
export class SessionTokens {
  /** Bytes of a second of the audio that the upstream sends. */
  bytesPerSecond = PCM_BYTES_PER_SECOND;
  #text = 0;
  #audio = 0;

  /** The client has sent something. @param bytes of the event, as JSON. */
  noteSent(type: string, bytes: number): void {
    // Four letters of base64 are three bytes.
    if (type === 'input_audio_buffer.append')
      this.#audio += ((bytes * 3) / 4 / this.bytesPerSecond) * HEARD_PER_SECOND;
    else if (type === 'conversation.item.create') this.#text += bytes / BYTES_PER_TOKEN;
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
    const said = Math.ceil((audioBytes / this.bytesPerSecond) * SAID_PER_SECOND);
    return {
      inputTokens,
      audioInputTokens: Math.min(inputTokens, Math.floor(this.#audio)),
      outputTokens: Math.ceil(textBytes / BYTES_PER_TOKEN) + said,
      audioOutputTokens: said,
    };
  }
}
