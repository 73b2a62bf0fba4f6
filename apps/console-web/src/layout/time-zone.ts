import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'model-gateway.time-zone';
const UTC = 'UTC';
const listeners = new Set<() => void>();

/** The zone that the reader's browser is in. */
const READERS_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zones that times can be shown in: the reader's own, and the one that the API counts days in. */
export const TIME_ZONES: readonly string[] = [...new Set([READERS_ZONE, UTC])];

let current = readTimeZone();

/** The zone that times are shown in, and days are filtered by. */
export function findTimeZone(): string {
  return current;
}

export function useTimeZone(): string {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, findTimeZone);
}

export function setTimeZone(zone: string): void {
  current = zone;
  localStorage.setItem(STORAGE_KEY, zone);
  for (const listener of listeners) listener();
}

/** The moment at which a day begins in the zone that is chosen. @param month from 1. */
export function beginOfDay(year: number, month: number, day: number): Date {
  return current === UTC ? new Date(Date.UTC(year, month - 1, day)) : new Date(year, month - 1, day);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}):(\d{2}))?$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const HOURS = 24;
const MINUTES = 60;

/** Whether a text is a day that there is, such as 2027-01-31. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text);
}

/** The moment that a text such as 2027-01-31 14:05 names in the zone that is chosen; a day alone names its beginning. */
export function readMoment(text: string): Date | undefined {
  const [, date = '', hours = '00', minutes = '00'] = MOMENT.exec(text.trim()) ?? [];
  if (!isDay(date) || Number(hours) >= HOURS || Number(minutes) >= MINUTES) return undefined;
  return current === UTC ? new Date(`${date}T${hours}:${minutes}Z`) : new Date(`${date}T${hours}:${minutes}`);
}

/** A moment as `readMoment` reads it, to the minute. */
export function writeMoment(moment: Date): string {
  const offsetMs = current === UTC ? 0 : moment.getTimezoneOffset() * 60_000;
  return new Date(moment.getTime() - offsetMs).toISOString().slice(0, 16).replace('T', ' ');
}

/** A day as its text. @param month from 1. */
export function writeDay([year, month, day]: ReturnType<typeof dayOf>): string {
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  );
}

interface Days {
  /** Such as 2027-01-31. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Days as the moments that the API takes; the last day counts to its end. What is no day stays, for the API to say so. */
export function toDayBounds({ from, to }: Days): Days {
  return { from: from && toMoment(from, 0), to: to && toMoment(to, 1) };
}

/** The moment at which a day begins in the zone that is chosen, so many days later. */
function toMoment(day: string, laterDays: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const moment = beginOfDay(year, month, date + laterDays);
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString();
}

/** Year, month (from 1) and day of a moment in the zone that is chosen. */
export function dayOf(moment: Date): readonly [year: number, month: number, day: number] {
  return current === UTC
    ? [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()]
    : [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
}

function readTimeZone(): string {
  // Tests of what stands on this run where there is no browser.
  const chosen = globalThis.localStorage?.getItem(STORAGE_KEY);
  return TIME_ZONES.find((zone) => zone === chosen) ?? READERS_ZONE;
}
