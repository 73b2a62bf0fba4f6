import { GoogleGenAI, type LiveServerMessage, type Session } from '@google/genai';

/** A session of Google's SDK, which writes down what it gets. */
export class LiveSdkSession {
  readonly messages: LiveServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  session!: Session;

  private constructor() {}

  /** @throws Error as the SDK throws it. */
  static async open(gatewayUrl: string, apiKey: string, model: string, config = {}): Promise<LiveSdkSession> {
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gatewayUrl } });
    const live = new LiveSdkSession();
    live.session = await client.live.connect({
      model,
      config,
      callbacks: {
        onmessage: (message) => live.messages.push(message),
        onclose: ({ code, reason }) => (live.closed = { code, reason }),
      },
    });
    return live;
  }

  get turns(): number {
    return this.messages.filter(({ serverContent }) => serverContent?.turnComplete).length;
  }
}
