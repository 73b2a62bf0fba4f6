import { omitUndefined } from '@mg/contract';
import type { JsonObject } from '../json.js';
import { readObject, readText } from './read-fields.js';

/** A search of the web that the provider runs itself: what callers can say of it in any protocol. */
export interface WebSearch {
  /** How much of what was found the model gets to read: `low`, `medium`, `high`. */
  readonly contextSize?: string;
  /** Where the user is, roughly: `country`, `region`, `city`, `timezone`. */
  readonly location?: JsonObject;
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly maxUses?: number;
}

/** Writes a search for a protocol; `undefined` where it cannot be limited as the caller wants. */
export type WriteSearch = (search: WebSearch, place: string) => JsonObject | undefined;

/** Whether a search is limited to some addresses: not every provider can do that. */
export function isLimited({ allowedDomains, blockedDomains }: WebSearch): boolean {
  return (allowedDomains?.length ?? 0) + (blockedDomains?.length ?? 0) > 0;
}

/** The place of a user as all protocols have it, out of an object that may say more. */
export function readLocation(value: unknown): JsonObject | undefined {
  const said = readObject(value);
  if (!said) return undefined;
  const { country, region, city, timezone } = said;
  const location = omitUndefined({
    country: readText(country),
    region: readText(region),
    city: readText(city),
    timezone: readText(timezone),
  });
  return Object.keys(location).length === 0 ? undefined : location;
}

export function readDomains(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0
    ? value.filter((domain) => typeof domain === 'string')
    : undefined;
}
