import type { StoredBytes } from '@mg/protocols';
/** Values of a channel's `settings`, as its provider's schema reads them. */
export type Settings = Readonly<Record<string, unknown>>;

/** A request as it leaves for the upstream. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Chats lie in memory; forms with large files do not. */
  readonly body: Buffer | StoredBytes;
}

/** A grant that a provider's token server turns into an access token. */
export interface TokenGrant {
  readonly url: string;
  /** Sent as a form. */
  readonly form: Readonly<Record<string, string>>;
}

/** What a signature is made of besides the request itself. */
export interface SigningContext {
  readonly apiKey: string | undefined;
  readonly settings: Settings;
  readonly nowMs: number;
  /** An access token for a grant, kept under the key until shortly before it expires; the grant is made only when needed. */
  obtainToken(cacheKey: string, makeGrant: () => TokenGrant): Promise<string>;
  /** Waited for between two steps of work on a large body; without it such work is done in one go. */
  pause?(): Promise<void>;
}
