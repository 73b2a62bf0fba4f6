import * as z from 'zod/mini';
import { isDay, readMoment } from '../layout/time-zone.js';
import { fault } from '../messages/say-fault.js';
import './no-eval.js';

/**
 * What the text fields of forms may hold, and what is sent of it. None of it is stricter than the API, which has the last
 * word; white space around a text counts as nothing, as there.
 */

/** The schema of a field with a text: what is written, read as what is sent. */
type TextSchema<Sent> = z.ZodMiniType<Sent, string>;

const USD = /^\d{1,9}(\.\d{1,9})?$/;
const SIGNED_USD = /^-?\d{1,9}(\.\d{1,9})?$/;
const LONGEST_PASSWORD = 256;
const SHORTEST_PASSWORD = 8;
const LONGEST_NAME = 128;

export const required = z.string().check(z.trim(), z.minLength(1, fault('required')));

/** What is sent as it is written, such as a password to compare. */
export const secret = z.string().check(z.minLength(1, fault('required')));

export const newPassword = secret.check(
  z.minLength(SHORTEST_PASSWORD, fault('too_short', String(SHORTEST_PASSWORD))),
  z.maxLength(LONGEST_PASSWORD, fault('too_long', String(LONGEST_PASSWORD))),
);

/** A name that people give to something. */
export const name = required.check(z.maxLength(LONGEST_NAME, fault('name_too_long')));

export function note(mostCharacters: number) {
  return z.string().check(z.trim(), z.maxLength(mostCharacters, fault('too_long', String(mostCharacters))));
}

export const email = z.pipe(required, z.email(fault('no_email')));
export const usd = required.check(z.regex(USD, fault('no_amount')));
export const threshold = required.check(z.regex(USD, fault('no_threshold')));
export const price = required.check(z.regex(/^\d{1,6}(\.\d{1,9})?$/, fault('no_price')));
export const share = required.check(z.regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, fault('no_share')));
export const duration = required.check(z.regex(/^\d{1,9}(ms|s|m|h)$/, fault('no_duration')));
export const slug = required.check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, fault('no_slug')));
/** Offsets such as +02:00 are no zones. */
export const timeZone = required.check(z.regex(/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/, fault('no_time_zone')));

const notZero = z.regex(/[1-9]/, fault('zero'));
export const usdAboveZero = usd.check(notZero);
/** Money that is put in, or taken out. */
export const movedUsd = required.check(z.regex(SIGNED_USD, fault('no_amount')), notZero);

export const httpAddress = address(/^https?$/, fault('no_http_address'));
export const webhookAddress = address(/^https?$/, fault('no_webhook_address'));
export const mailServer = address(/^smtps?$/, fault('no_mail_server'));

function address(protocol: RegExp, error: string) {
  return z.pipe(required, z.url({ protocol, error }));
}

export function wholeNumber(least: number, most: number): TextSchema<number> {
  const digits = required.check(z.regex(/^-?\d+$/, fault('not_a_whole_number')));
  const bounded = z
    .number()
    .check(
      z.minimum(least, fault('too_small', String(least))),
      z.maximum(most, fault('too_big', String(most))),
    );
  return z.pipe(z.pipe(digits, z.transform(Number)), bounded);
}

/** What is separated by commas, semicolons or spaces. @returns makes the schema by what is sent where nothing is written. */
function listOf(one: TextSchema<string>) {
  const parts = z.transform((text: string) => text.split(/[\s,;]+/).filter((part) => part !== ''));
  const list = flat(z.pipe(z.pipe(z.string(), parts), z.array(one)));
  return <Nothing>(nothing: Nothing): TextSchema<string[] | Nothing> =>
    z.pipe(
      list,
      z.transform((found) => (found.length === 0 ? nothing : found)),
    );
}

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], fault('no_network_address'));

export const slugs = listOf(slug);
export const networks = listOf(network);
export const emails = listOf(email);

/** A date and a time in the zone that is chosen, read as the moment that they are. */
export const moment = z.pipe(
  required,
  z.transform((text: string, context) => {
    const moment = readMoment(text);
    if (moment) return moment.toISOString();
    context.issues.push({ code: 'custom', message: fault('no_moment'), input: text });
    return z.NEVER;
  }),
);

/** A day such as 2027-01-31. */
export const day = required.check(z.refine(isDay, fault('no_moment')));

/** An object that is written as JSON. */
export const jsonObject: TextSchema<Record<string, unknown>> = z.pipe(
  z.string(),
  z.transform((text: string, context) => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
    } catch {
      // Said below.
    }
    context.issues.push({ code: 'custom', message: fault('not_an_object'), input: text });
    return z.NEVER;
  }),
);

/** A field that may be left empty. @param nothing what is sent then. */
export function orNothing<Sent, Nothing>(
  schema: TextSchema<Sent>,
  nothing: Nothing,
): TextSchema<Sent | Nothing> {
  return z.pipe(
    z.string(),
    z.transform((text: string, context) => {
      const read = z.safeParse(schema, text);
      if (read.success) return read.data;
      return text.trim() === '' ? nothing : refuse(read.error, text, context);
    }),
  );
}

/** A field that is not shown, by what is chosen elsewhere: nothing is sent of it. */
export const unshown = z.pipe(
  z.string(),
  z.transform(() => undefined),
);

/** What is wrong with a part of a text is wrong with its field. */
function flat<Sent>(schema: TextSchema<Sent>): TextSchema<Sent> {
  return z.pipe(
    z.string(),
    z.transform((text: string, context) => {
      const read = z.safeParse(schema, text);
      return read.success ? read.data : refuse(read.error, text, context);
    }),
  );
}

function refuse(error: z.core.$ZodError, text: string, context: z.core.ParsePayload): never {
  context.issues.push({ code: 'custom', message: error.issues[0]?.message ?? '', input: text });
  return z.NEVER;
}
