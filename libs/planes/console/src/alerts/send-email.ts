import { isIP } from 'node:net';
import { omitUndefined } from '@mg/contract';
import { isPublicAddress, lookUpPublic, PublicFetchError } from '@mg/transport';
import { createTransport } from 'nodemailer';
import type { EmailDestination } from './alert-destinations.js';

const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
/** For all of it: a server that answers a little now and then holds up the other messages no longer. */
const WHOLE_MS = 60_000;
const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

export interface Email {
  readonly subject: string;
  readonly text: string;
}

/**
 * Sends a plain text by SMTP. A password is only ever sent through TLS whose certificate is good.
 *
 * @param allowPrivate whether a server that the Console names may have a private address.
 * @throws Error when the server cannot be reached, or refuses.
 */
export async function sendEmail(
  { smtpUrl, source, from }: EmailDestination,
  to: readonly string[],
  { subject, text }: Email,
  allowPrivate: boolean,
): Promise<void> {
  const url = new URL(smtpUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isOpen = source === 'environment' || allowPrivate;
  const isNamed = isIP(host) === 0;
  const user = decodeURIComponent(url.username);
  const transport = createTransport({
    // The very address that was checked, so that a name cannot point elsewhere a moment later.
    host: isOpen ? host : await resolvePublic(host),
    port: url.port === '' ? DEFAULT_PORTS[url.protocol as keyof typeof DEFAULT_PORTS] : Number(url.port),
    secure: url.protocol === 'smtps:',
    requireTLS: user !== '',
    ...omitUndefined({
      servername: isNamed ? host : undefined,
      tls: isNamed ? { servername: host } : undefined,
      auth: user !== '' ? { user, pass: decodeURIComponent(url.password) } : undefined,
    }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from, to: [...to], subject, text, signal: AbortSignal.timeout(WHOLE_MS) });
  } finally {
    transport.close();
  }
}

/** @throws PublicFetchError for a name or address that is not public. */
function resolvePublic(host: string): Promise<string> {
  if (isIP(host) !== 0) {
    if (isPublicAddress(host)) return Promise.resolve(host);
    return Promise.reject(new PublicFetchError('refused', 'leads to no public address'));
  }
  return new Promise((resolve, reject) => {
    lookUpPublic(host, {}, (error, address) => {
      if (error) reject(error);
      else resolve(String(address));
    });
  });
}
