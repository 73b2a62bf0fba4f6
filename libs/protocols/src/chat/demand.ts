import type { ToolFee } from '@mg/contract';

/** A search of a provider that searches as often as it likes. */
export interface SearchAtWill {
  /** Paid searches of one call at most. */
  readonly uses: number;
  /** How often it has the model read its prompt again. */
  readonly rounds: number;
}

/** A tool of a request that the provider runs by itself, and what it costs. */
export interface HostedTool {
  /** Where the request names it: `tools[1].type`. */
  readonly param: string;
  readonly name: string;
  /** What one use costs: a fee, nothing but tokens, or an unknown amount; then the tool is never sent. */
  readonly fee: ToolFee | 'tokens' | 'unknown';
  /** Paid uses at most; `undefined` where the request sets no limit, so that the gateway writes one into it. */
  readonly uses: number | undefined;
  /** How often the tool has the model read its prompt again; once for each use by default. */
  readonly rounds?: number;
  /** The provider charges every use that it may make and reports none. */
  readonly unreported?: true;
  /** Whether a search is limited to some addresses, which a provider that searches at will does not carry out. */
  readonly isOfDomains?: boolean;
  /**
   * What a search may come to besides, at those channels of a call that search as often as they like. The limits of the request, and
   * those that the gateway writes into it, stay those of all others. `everywhere`: there are no others.
   */
  readonly atWill?: SearchAtWill & { readonly everywhere: boolean };
}

/** A service tier that a request asks for by name. */
export interface NamedTier {
  readonly param: string;
  readonly name: string;
}

/** What a request may make its provider use, as far as the request alone says. */
export interface Demand {
  /** Bytes of the body without images: no tokenizer makes more tokens of a text than it has bytes. */
  readonly textBytes: number;
  /** Images. Each costs tokens by its size in pixels, whatever its bytes. */
  readonly images: number;
  /**
   * The first field whose tokens the body does not bound: a document, a video, a file by its id, stored context. Only the
   * model's context window bounds such a prompt.
   */
  readonly unboundedField: string | undefined;
  /** Whether some of the bytes are sound, or another file whose tokens are fewer: no tokenizer counts them. */
  readonly hasMedia?: boolean;
  /** Whether some of the answer is no text, or is billed and never shown. */
  readonly hidesOutput?: boolean;
  /** Output that is billed although the cap of the answer does not count it. */
  readonly extraOutputTokens: number;
  /** How often the provider summarises the conversation on the way: each time is a prompt and an answer more. */
  readonly compactions: number;
  readonly tools: readonly HostedTool[];
  /** Whether the caller declares functions, beside which a provider that searches at will does not search. */
  readonly hasFunctions?: boolean;
  /**
   * How often the tools together may have the model read its prompt again in one call; `undefined` where the request may
   * set such a limit and does not, so that the gateway writes one into it.
   */
  readonly maxRounds: number | undefined;
  /** `undefined` is the tier of the model's own rates, and what the provider's account is set to. */
  readonly tier: NamedTier | undefined;
}

/** Names of what a provider serves unless it is asked otherwise. */
const USUAL_TIERS: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'service_tier_unspecified',
  'service_tier_standard',
  'unspecified',
]);

/** Longer ones are none that is known. */
const LONGEST_TIER = 256;

/** The name of a tier in small letters. */
export function nameTier(value: string): string {
  return value.length > LONGEST_TIER ? value : value.trim().toLowerCase();
}

/** A tier by the name that prices have for it; `undefined` for the usual one and for what is no text. */
export function readTier(value: unknown, param: string): NamedTier | undefined {
  if (typeof value !== 'string') return undefined;
  const name = nameTier(value);
  return USUAL_TIERS.has(name) ? undefined : { param, name };
}

/** The tier that an answer says it was served by; `standard` for the usual one. */
export function readServedTier(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return readTier(value, '')?.name ?? 'standard';
}
