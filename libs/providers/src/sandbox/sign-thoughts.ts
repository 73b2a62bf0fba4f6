import type { Block, CanonicalEvent, CanonicalReply, ProtocolName, Signature } from '@mg/protocols';

const SEAL = Buffer.from('signed by the sandbox').toString('base64');

/** What a protocol's models sign: Claude its reasoning, Gemini its calls. */
const SIGNED: Partial<Record<ProtocolName, Block['type']>> = {
  'anthropic-messages': 'reasoning',
  'gemini-generate': 'tool-call',
};

/** Signs a whole reply as the models of a protocol would, so that clients have something to send back. */
export function signReply(reply: CanonicalReply, protocol: ProtocolName): CanonicalReply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    blocks: choice.blocks.map((block) =>
      isSigned(block, protocol) ? { ...block, signature: seal(protocol) } : block,
    ),
  }));
  return { ...reply, choices };
}

/** Signs a stream: calls at their start, reasoning at their end. One object for one stream. */
export class ThoughtSigner {
  readonly #open = new Set<number>();

  constructor(private readonly protocol: ProtocolName) {}

  sign(events: readonly CanonicalEvent[]): CanonicalEvent[] {
    return events.flatMap((event) => this.#sign(event));
  }

  #sign(event: CanonicalEvent): CanonicalEvent[] {
    if (event.type === 'block-start' && isSigned(event.block, this.protocol)) {
      if (event.block.type === 'tool-call') {
        return [{ ...event, block: { ...event.block, signature: seal(this.protocol) } }];
      }
      this.#open.add(event.choice);
    }
    if (event.type !== 'block-end' || !this.#open.delete(event.choice)) return [event];
    const { choice, index } = event;
    const delta = { type: 'signature', signature: seal(this.protocol) } as const;
    return [{ type: 'block-delta', choice, index, delta }, event];
  }
}

function isSigned(block: Block, protocol: ProtocolName): block is Extract<Block, { signature?: Signature }> {
  return block.type === SIGNED[protocol];
}

function seal(protocol: ProtocolName): Signature {
  return { protocol, value: SEAL };
}
