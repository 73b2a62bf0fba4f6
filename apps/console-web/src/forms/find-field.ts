/**
 * Which field of a form a path of the API is about, such as `allowed_ips` for `allowed_ips[1]`; none where the form has none.
 *
 * @param texts what the fields of the form hold, which are named as the API names them.
 */
export function findField(texts: object, path: string): string | undefined {
  let place: unknown = texts;
  const passed: string[] = [];
  for (const part of path.split(/[.[\]]+/)) {
    if (!isGroup(place) || !Object.hasOwn(place, part)) break;
    place = place[part];
    passed.push(part);
  }
  return passed.length === 0 || isGroup(place) ? undefined : passed.join('.');
}

/** Whether there are fields inside. A list is a field: of boxes that are ticked. */
function isGroup(place: unknown): place is Record<string, unknown> {
  return typeof place === 'object' && place !== null && !Array.isArray(place);
}
