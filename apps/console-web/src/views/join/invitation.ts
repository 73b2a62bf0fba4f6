/** The secret of an invitation, while the user signs in on the way: in the tab, and in no address that is sent anywhere. */
const STORAGE_KEY = 'model-gateway.invitation';

/** Where a link of an invitation leads. Browsers send nobody what stands after #. */
export function toJoinLink(token: string): string {
  return `${window.location.origin}/join#${token}`;
}

/** The secret that the address brought, or that is kept of it. */
export function takeInvitation(): string {
  const brought = window.location.hash.slice(1);
  if (brought !== '') {
    sessionStorage.setItem(STORAGE_KEY, brought);
    window.history.replaceState(window.history.state, '', window.location.pathname);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}
