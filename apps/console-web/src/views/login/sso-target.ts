/** Where the user is on the way to, while the browser is at the issuer. */
const TARGET_KEY = 'model-gateway.sso-target';

/** Leaves the page for the issuer's. @param target where in the page the user goes once they are back. */
export function leaveForIssuer(url: string, target: string): void {
  sessionStorage.setItem(TARGET_KEY, target);
  window.location.assign(url);
}

/** Where the user was on the way to; the first view where that is unknown. */
export function takeTarget(): string {
  const target = sessionStorage.getItem(TARGET_KEY) ?? '/';
  sessionStorage.removeItem(TARGET_KEY);
  return target;
}
