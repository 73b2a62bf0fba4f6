import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';

/** A call in flight that is read as it comes. */
export interface OpenStream {
  /** What has come so far. */
  readonly text: string;
  readonly isOver: boolean;
  leave(): void;
}

/** Opens a stream that would go on for minutes, and waits for its first words. */
export async function openStream(gatewayUrl: string): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(`${gatewayUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'endless',
      stream: true,
      max_tokens: 4_000,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
    signal: leaving.signal,
  });
  if (!response.body) throw new Error(`The stream was answered with ${response.status} and no body.`);
  const state = { text: '', isOver: false, leave: () => leaving.abort() };
  void read(response.body, state);
  await waitUntil('the first words of the stream', () => state.text.length > 0);
  return state;
}

async function read(
  body: ReadableStream<Uint8Array>,
  state: { text: string; isOver: boolean },
): Promise<void> {
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) state.text += chunk;
  } catch {
    // Left by the test, or cut by the gateway: what had come is what counts.
  } finally {
    state.isOver = true;
  }
}
