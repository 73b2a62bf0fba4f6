import type { IncomingHttpHeaders } from 'node:http';
import {
  type CanonicalRequest,
  type ChatEnvelope,
  type ChatProtocol,
  type ClientProtocolName,
  findChatProtocol,
  type Framing,
  keepIntegers,
  parseRequestBody,
  runAtOnce,
  runInSlices,
  type Steps,
} from '@mg/protocols';
import type { PinnedChannel } from '../../call/pin-channel.js';

/** A prompt that an upstream keeps, which a request goes on from. */
export interface CachedPrefix extends PinnedChannel {
  /** What the upstream calls it. */
  readonly upstreamName: string;
}

/** A chat request as it came in, in the client's own protocol. */
export class ChatRequest {
  readonly protocol: ChatProtocol;
  #canonical: CanonicalRequest | undefined;

  /** @param framing how the client wants its stream cut. */
  constructor(
    protocol: ClientProtocolName,
    readonly envelope: ChatEnvelope,
    readonly body: Buffer,
    readonly headers: IncomingHttpHeaders,
    readonly framing: Framing = 'sse',
    readonly cached?: CachedPrefix,
  ) {
    this.protocol = findChatProtocol(protocol);
  }

  /** The same request where what it names as cached content is known. */
  goOnFrom(cached: CachedPrefix): ChatRequest {
    const { protocol, envelope, body, headers, framing } = this;
    return new ChatRequest(protocol.name, envelope, body, headers, framing, cached);
  }

  /** The same request with another body, of which nothing but the input is another. */
  withInputOf(body: Buffer): ChatRequest {
    const { protocol, envelope, headers, framing } = this;
    const parsed = parseRequestBody(body);
    return new ChatRequest(protocol.name, { ...envelope, parsed }, body, headers, framing);
  }

  /** Whether the client asks for the cost of its stream, which comes with the stream's usage. Arrays have no room for it. */
  get showsCost(): boolean {
    return this.envelope.stream && this.framing === 'sse' && this.headers['x-gateway-cost'] === '1';
  }

  /** Whether the client is to see usage in its stream. */
  get showsUsage(): boolean {
    return this.envelope.includeUsage || this.showsCost;
  }

  /**
   * The request in the canonical form, decoded when first asked for. Every channel is asked out of the client's own request,
   * never out of one that was encoded for another channel.
   *
   * @throws GatewayError `invalid_request` naming the field.
   */
  decode(): CanonicalRequest {
    return (this.#canonical ??= runAtOnce(this.#decodeInSteps()));
  }

  /**
   * The same in steps.
   *
   * @param pause is waited for between two of them.
   */
  async decodeInSlices(pause: () => Promise<void>): Promise<CanonicalRequest> {
    return (this.#canonical ??= await runInSlices(this.#decodeInSteps(), pause));
  }

  #decodeInSteps(): Steps<CanonicalRequest> {
    const { protocol, envelope, body } = this;
    return protocol.codec.decodeInSteps(keepIntegers(body, envelope.parsed), envelope.model, envelope.stream);
  }
}
