export interface LoginSearch {
  /** Where in the page the user was on the way to. */
  readonly to?: string;
  /** A code that a single sign-on came back with. */
  readonly sso?: string;
  /** Why a single sign-on came back without one. */
  readonly sso_error?: string;
}

/** What the login view reads from its address. */
export function readLoginSearch(search: Readonly<Record<string, unknown>>): LoginSearch {
  const { to, sso, sso_error: reason } = search;
  return {
    to: typeof to === 'string' && to.startsWith('/') ? to : undefined,
    sso: typeof sso === 'string' ? sso : undefined,
    sso_error: typeof reason === 'string' ? reason : undefined,
  };
}
