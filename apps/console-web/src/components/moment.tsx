import { useTimeZone } from '../layout/time-zone.js';
import { useMessages, useLanguage } from '../messages/use-messages.js';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
const NOW_WITHIN_MS = 5_000;
const RELATIVE_WITHIN_MS = 7 * 86_400_000;

/** A moment to the second, with the name of its zone. */
const PARTS = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
} as const;

/** A moment: relative where it is near, with the absolute time on hover and for machines. */
export function Moment({ at, isAbsolute = false }: { readonly at: string; readonly isAbsolute?: boolean }) {
  const language = useLanguage();
  const { time } = useMessages();
  const moment = new Date(at);
  const absolute = sayMoment(moment, language, useTimeZone());
  const distanceMs = moment.getTime() - Date.now();
  const isNear = Math.abs(distanceMs) < RELATIVE_WITHIN_MS && !isAbsolute;
  return (
    <time
      dateTime={at}
      title={absolute}
      className={isNear ? 'whitespace-nowrap' : 'break-keep sm:whitespace-nowrap'}
    >
      {isNear ? describeDistance(distanceMs, language, time.now) : absolute}
    </time>
  );
}

/**
 * The zone stands last in every language: Chinese has it between the day and the time. Where a line is too short it breaks
 * between the two, and never before the zone.
 */
function sayMoment(moment: Date, language: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat(language, { ...PARTS, timeZone }).formatToParts(moment);
  const join = (some: readonly Intl.DateTimeFormatPart[]) =>
    some
      .filter(({ type }) => type !== 'timeZoneName')
      .map(({ value }) => value)
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const hour = parts.findIndex(({ type }) => type === 'hour');
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  const time = `${join(parts.slice(hour))} ${zone}`.replaceAll(' ', '\u00a0');
  return `${join(parts.slice(0, hour))} ${time}`;
}

function describeDistance(distanceMs: number, language: string, now: string): string {
  if (Math.abs(distanceMs) < NOW_WITHIN_MS) return now;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' });
  const [unit, lengthMs] = UNITS.find(([, length]) => Math.abs(distanceMs) >= length) ?? UNITS[3];
  const said = format.format(Math.trunc(distanceMs / lengthMs), unit);
  // A figure and a Chinese character stand apart, as everywhere on the page.
  return said.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}
