/** Why nobody is signed in by single sign-on; the page has a sentence for each. */
export type SsoReason =
  | 'expired'
  | 'refused'
  | 'failed'
  | 'unavailable'
  | 'unverified_email'
  | 'administrator'
  | 'claimed'
  | 'linked_otherwise'
  | 'no_role'
  | 'last_administrator'
  | 'disabled';

/** A single sign-on that ends without a session. */
export class SsoRefusal extends Error {
  override readonly name = 'SsoRefusal';

  constructor(
    readonly reason: SsoReason,
    message: string,
  ) {
    super(message);
  }
}
