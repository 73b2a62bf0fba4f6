/** A plane that answers questions. */
export type AnsweringPlane = 'billing' | 'gateway';

/**
 * Nest sends every reply to one channel for each pattern, where every client parses every other client's replies. A
 * question whose id is `<address>:<number>` is answered on its asker's own channel instead; any other id as Nest does.
 */
const ADDRESSED_ID = /^([0-9a-f-]{36}):\d+$/;

/** The channel on which a plane answers an asker. */
export function replyChannelOf(plane: AnsweringPlane, address: string): string {
  return `${plane}.reply.${address}`;
}

/** The channel that a question of this id wants its answer on, or `undefined` for Nest's own. */
export function findReplyChannel(plane: AnsweringPlane, id: string): string | undefined {
  const address = ADDRESSED_ID.exec(id)?.[1];
  return address === undefined ? undefined : replyChannelOf(plane, address);
}
