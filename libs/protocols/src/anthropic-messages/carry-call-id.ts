/** What ids of calls may hold in this protocol. */
const VALID = /^[a-zA-Z0-9_-]+$/;
const CARRIED = 'call_id_';

/**
 * The id of a call for a client of this protocol. Official SDKs and agents take letters, digits, `_` and `-`; what other
 * servers name a call, such as `functions.search:0`, is carried in those, so that the client's next turn brings it back.
 */
export function carryCallId(id: string): string {
  if (VALID.test(id) && !id.startsWith(CARRIED)) return id;
  return CARRIED + Buffer.from(id, 'utf8').toString('base64url');
}

/** The id that the server gave, out of one that {@link carryCallId} wrote. */
export function restoreCallId(id: string): string {
  if (!id.startsWith(CARRIED)) return id;
  const restored = Buffer.from(id.slice(CARRIED.length), 'base64url').toString('utf8');
  return restored !== id && carryCallId(restored) === id ? restored : id;
}
