import { z } from 'zod';
import { networkAddressSchema } from './network-addresses.js';

/** Rules for values of the environment, each with what is said of one that breaks it. */

export const port = z.coerce
  .number('must be a port number from 0 to 65535')
  .int('must be a port number from 0 to 65535')
  .min(0, 'must be a port number from 0 to 65535')
  .max(65_535, 'must be a port number from 0 to 65535');

export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'on', 'off', 'yes', 'no'], 'must be true or false'))
  .transform((text) => ['true', '1', 'on', 'yes'].includes(text));

export const address = (scheme: string, example: string) =>
  z.string().regex(new RegExp(`^${scheme}://.+`), `must be an address such as ${example}`);

export const origins = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const origin = part.trim();
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
    context.addIssue('must be origins such as https://console.example.com, separated by commas');
    return z.NEVER;
  }),
);

const SSO_CALLBACK = '/api/v1/auth/sso/callback';

export const issuer = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const isLocal = protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return (protocol === 'https:' || isLocal) && search === '' && hash === '';
}, 'must be an address such as https://login.example.com; only one of this machine may begin with http://');

export const ssoCallback = z
  .string()
  .refine(
    (text) =>
      /^https?:/.test(text) && URL.canParse(text) && text === `${new URL(text).origin}${SSO_CALLBACK}`,
    `must be an address such as https://console.example.com${SSO_CALLBACK}`,
  );

/** The name is up to the first `=`: a value such as `cn=admins,ou=groups` has more of them. */
export const claim = z
  .string()
  .regex(/^[^=\s]+=\S(.*\S)?$/, 'must be a claim and its value, such as groups=gateway-admins');

export const claimName = z
  .string()
  .regex(/^[^=\s]+$/, 'must be the name of a claim, such as groups, without a value');

export const scopes = z
  .string()
  .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, 'must be scopes such as groups, separated by single spaces');

export const networkAddresses = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const address = networkAddressSchema.safeParse(part.trim());
    if (address.success) return address.data;
    context.addIssue('must be addresses or networks such as 10.0.0.7, 10.1.0.0/16, separated by commas');
    return z.NEVER;
  }),
);

export const secret = z.string().min(32, 'must be at least 32 characters long');

export const password = z
  .string()
  .min(12, 'must be at least 12 characters long')
  .regex(/^[!-~]*$/, 'must be letters, digits and signs of ASCII');

export const whole = (unit: string, smallest: number) =>
  z.coerce
    .number(`must be a number of ${unit}`)
    .int(`must be a whole number of ${unit}`)
    .min(smallest, `must be at least ${smallest}`)
    .max(36_500, 'must be at most 36500');

/** As OpenTelemetry writes them: `name=value`, separated by commas, percent-encoded. */
export const headerList = z.string().transform((text, context) => {
  const pairs = text.split(',').map((part) => /^\s*([\w-]+)\s*=\s*(\S*)\s*$/.exec(part));
  if (pairs.every((pair) => pair !== null)) {
    return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodePercent(value)]));
  }
  context.addIssue('must be headers such as authorization=Bearer%20token, separated by commas');
  return z.NEVER;
});

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MAX_WORKERS = 64;

export const workers = z.string().transform((text, context) => {
  if (text === 'auto') return text;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_WORKERS) return count;
  context.addIssue(`must be auto or a whole number from 1 to ${MAX_WORKERS}`);
  return z.NEVER;
});
