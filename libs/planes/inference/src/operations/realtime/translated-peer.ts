import type { SessionWords } from '@mg/protocols';
import type { Peer, PeerListener } from '@mg/transport';

/** An upstream that knows other words than the client. */
export class TranslatedPeer implements Peer {
  constructor(
    private readonly peer: Peer,
    private readonly words: SessionWords,
  ) {}

  listen({ message, closed }: PeerListener): void {
    this.peer.listen({ message: (bytes) => message(this.words.toClient(bytes)), closed });
  }

  /** @throws GatewayError `invalid_request` for what there are no words for. */
  send(message: Buffer | string): void | Promise<void> {
    return this.peer.send(Buffer.isBuffer(message) ? this.words.toUpstream(message) : message);
  }

  close(code: number, reason: string): void {
    this.peer.close(code, reason);
  }
}
