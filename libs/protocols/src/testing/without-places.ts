/** A copy that does not remember where its parts stood in a request. */
export function withoutPlaces<T>(value: T): T {
  return structuredClone(value);
}
