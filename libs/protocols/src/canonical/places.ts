const PLACE = Symbol('place');

interface Placed {
  [PLACE]?: string;
}

/**
 * Remembers where in the client's request a part of its canonical form stood, as the client named it, so that a refusal can
 * point to it. Copies made by spreading keep it.
 */
export function placeAt<T extends object>(place: string, thing: T): T {
  (thing as Placed)[PLACE] = place;
  return thing;
}

/** Where something stood, or the given name where its place is unknown. */
export function placeOf(thing: object, otherwise: string): string {
  return (thing as Placed)[PLACE] ?? otherwise;
}
