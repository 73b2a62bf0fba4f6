/** A plane that serves requests. */
export type ServingPlane = 'billing' | 'gateway';

/**
 * Every client has a reply channel of its own, so that none reads another's replies. The id of a request is
 * `<uuid of the client>:<number>` and names it.
 */
const REQUEST_ID = /^([0-9a-f-]{36}):\d+$/;

/** The channel on which a client of a plane receives its replies. */
export function replyChannelOf(plane: ServingPlane, clientId: string): string {
  return `${plane}.reply.${clientId}`;
}

/** The channel that the request of this id wants its reply on, or `undefined` when the id names no client. */
export function findReplyChannel(plane: ServingPlane, requestId: string): string | undefined {
  const clientId = REQUEST_ID.exec(requestId)?.[1];
  return clientId === undefined ? undefined : replyChannelOf(plane, clientId);
}
