import type { UpstreamCall } from '@mg/testkit';
import { CHAT_CLIENTS } from '../../clients/chat/chat-clients.js';
import type { ChatClient } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver, upstreamModelOver, type Wire, WIRES } from '../../deployment/wires.js';

/** An official SDK and the protocol that is spoken behind the slug it asks for. */
export interface Pair {
  readonly title: string;
  readonly client: ChatClient;
  readonly wire: Wire;
}

/** Every client to every channel. */
export const PAIRS: readonly Pair[] = CHAT_CLIENTS.flatMap((client) =>
  WIRES.map((wire) => ({ title: `${client.name} over ${wire.name}`, client, wire })),
);

export function slugOf({ wire }: Pair, behaviour: string): string {
  return slugOver(wire, behaviour);
}

/** The last call that the upstream got for a behaviour. */
export function findCall(deployment: Deployment, { wire }: Pair, behaviour: string): UpstreamCall {
  const model = upstreamModelOver(wire, behaviour);
  const call = deployment.upstream.calls.findLast((seen) => seen.model === model);
  if (!call) throw new Error(`the upstream was never asked for ${model}`);
  return call;
}
