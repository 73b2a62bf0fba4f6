const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const RANGE = 2 ** 32;

/**
 * The member of a set that a key belongs to, by weighted rendezvous hashing: the same key finds the same member, whoever asks;
 * a member that goes takes its own keys along and moves no other; members get keys by their share of the weight. Members
 * without weight get none while another has some.
 */
export function findByAffinity<Member>(
  key: string,
  members: readonly Member[],
  facts: { readonly nameOf: (member: Member) => string; readonly weightOf: (member: Member) => number },
): Member | undefined {
  let best: Member | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (const member of members) {
    const weight = facts.weightOf(member);
    const score = weight <= 0 ? -1 : -weight / Math.log(toUnit(`${key} ${facts.nameOf(member)}`));
    if (score > highest) {
      highest = score;
      best = member;
    }
  }
  return best;
}

/** A text's hash in (0, 1): FNV-1a, mixed so that texts of one beginning do not come out alike. */
function toUnit(text: string): number {
  let hash = FNV_OFFSET;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / RANGE;
}
