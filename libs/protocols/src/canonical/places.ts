/** Where in the client's request a part of its canonical form stood, as the client named it. */
const PLACES = new WeakMap<object, string>();

/** Remembers where something stood, so that a refusal can point to it. */
export function placeAt<T extends object>(place: string, thing: T): T {
  PLACES.set(thing, place);
  return thing;
}

/** Where something stood, or the given name where its place is unknown. */
export function placeOf(thing: object, otherwise: string): string {
  return PLACES.get(thing) ?? otherwise;
}

/** A changed copy stands where the original stood. */
export function keepPlace<T extends object>(original: object, copy: T): T {
  const place = PLACES.get(original);
  return place === undefined ? copy : placeAt(place, copy);
}
