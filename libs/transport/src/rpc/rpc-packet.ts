/** A request, published on the channel that is its pattern. */
export interface RpcRequest {
  /** `<uuid of the client>:<number>`. */
  readonly id: string;
  readonly pattern: string;
  readonly data: unknown;
  /** What instrumentation of Nest adds to a packet. */
  readonly metadata?: Record<string, string>;
}

/** The one reply to a request, published on its client's own channel. */
export interface RpcReply {
  readonly id: string;
  readonly response?: unknown;
  /** Instead of a response: the error, as `{ code, message, param? }` from a plane of ours. */
  readonly err?: unknown;
  /** Nest's mark of the last packet of a reply: there is one only. */
  readonly isDisposed: true;
}

/** @returns `undefined` for what is no request. */
export function readRequest(text: string): RpcRequest | undefined {
  const packet = readPacket(text);
  return packet && typeof packet.pattern === 'string' ? (packet as unknown as RpcRequest) : undefined;
}

/** @returns `undefined` for what is no reply. */
export function readReply(text: string): RpcReply | undefined {
  return readPacket(text) as RpcReply | undefined;
}

function readPacket(text: string): { readonly id: string; readonly pattern?: unknown } | undefined {
  try {
    const packet: unknown = JSON.parse(text);
    const isPacket = typeof packet === 'object' && packet !== null && 'id' in packet;
    return isPacket && typeof packet.id === 'string' ? { ...packet, id: packet.id } : undefined;
  } catch {
    return undefined;
  }
}
