/**
 * Refused requests are asked once more after `catchUp`. A refusal counts the worst case of calls that are over but whose
 * usage is not charged yet; once it is, there may be room, so that calls made one after the other pass exactly as far as the
 * balance goes.
 *
 * @param ask answers each request, in order; it is given the refused ones the second time.
 * @param catchUp hands on or charges the usage that waits. @returns `false` when there was none: no need to ask again.
 * @returns the last answer to each request, in order.
 */
export async function retryWhereRefused<Request, Decision extends object>(
  requests: readonly Request[],
  ask: (requests: readonly Request[]) => Promise<readonly Decision[]>,
  catchUp: () => Promise<boolean>,
): Promise<Decision[]> {
  const decisions = [...(await ask(requests))];
  const refused = [...decisions.entries()].filter(([, decision]) => 'refused' in decision);
  if (refused.length === 0 || !(await catchUp())) return decisions;
  const again = await ask(refused.flatMap(([index]) => requests[index] ?? []));
  for (const [place, [index, first]] of refused.entries()) decisions[index] = again[place] ?? first;
  return decisions;
}

/** `retryWhereRefused` for one request. */
export async function retryIfRefused<Decision extends object>(
  ask: () => Promise<Decision>,
  catchUp: () => Promise<boolean>,
): Promise<Decision> {
  const decision = await ask();
  if (!('refused' in decision) || !(await catchUp())) return decision;
  return ask();
}
