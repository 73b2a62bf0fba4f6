import { sha256 } from '@mg/contract';
import { findCookie } from '../http/find-cookie.js';

/**
 * The cookie that ties a state, or a code of the page, to the browser that it was made for. Each has one of its own, so
 * that two tabs may sign in at once. Where the Console is reached over HTTPS no other host can set it (`__Host-`).
 */
function nameCookie(secret: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}mg_sso_${sha256(secret).slice(0, 16)}`;
}

/** What the cookie of a state or code holds, in a `Cookie` header. */
export function findSsoCookie(secret: string, cookies: string | undefined, isSecure: boolean): string {
  return findCookie(nameCookie(secret, isSecure), cookies) ?? '';
}

/** A `Set-Cookie` header, readable by no script and sent along when the issuer sends the browser back. */
export function writeSsoCookie(
  secret: string,
  value: string,
  lifeSeconds: number,
  isSecure: boolean,
): string {
  const rules = `Max-Age=${lifeSeconds}; Path=/; HttpOnly; SameSite=Lax`;
  return `${nameCookie(secret, isSecure)}=${value}; ${rules}${isSecure ? '; Secure' : ''}`;
}
