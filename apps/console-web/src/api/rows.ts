/** Rows as the Console's API answers them; its `/openapi.json` is their description. Money is a decimal string in USD. */

export interface List<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: 'administrator' | 'member';
  readonly disabled: boolean;
  readonly created_at: string;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly user_id: string;
  readonly wallet_id: string;
  readonly key_hint: string;
  readonly allowed_models: readonly string[] | null;
  readonly spending_quota: string | null;
  readonly used: string;
  readonly held: string;
  readonly expires_at: string | null;
  readonly disabled: boolean;
  readonly created_at: string;
}

export interface KeyedToken extends Token {
  /** Answered once, when the key is made. */
  readonly key: string;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  readonly user_id: string | null;
  readonly balance: string;
  readonly held: string;
  readonly credit_limit: string;
  readonly available: string;
  readonly created_at: string;
}

export type EntryKind = 'charge' | 'refund' | 'topup' | 'adjust' | 'late_charge' | 'true_up' | 'waste';

export interface Entry {
  readonly id: string;
  readonly created_at: string;
  readonly kind: EntryKind;
  readonly amount: string;
  readonly balance_after: string;
  readonly request_id: string | null;
  readonly task_id: string | null;
  readonly note: string;
}

export interface CostLine {
  readonly meter: string;
  readonly quantity: number;
  readonly unit_price: string;
  readonly amount: string;
}

export interface Attempt {
  readonly channel: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly reason: string;
}

export interface LoggedCall {
  readonly request_id: string;
  readonly created_at: string;
  readonly token_id: string;
  readonly token_name: string;
  readonly model: string;
  readonly endpoint: string;
  readonly channel: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly stream: boolean;
  readonly latency_ms: number;
  readonly ttft_ms: number | null;
  readonly usage: Readonly<Record<UsageMeter, number> & Partial<Record<ToolUse, number>>> & {
    readonly tier?: string;
  };
  readonly cost: string;
  readonly estimated: boolean;
  readonly reason: string;
  readonly lines: readonly CostLine[];
  readonly attempts: readonly Attempt[];
  readonly price_version: string | null;
}

export type UsageMeter =
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'cache_write_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'images'
  | 'seconds';

/** Uses of tools that the provider ran. */
export type ToolUse = 'web_searches' | 'file_searches' | 'code_sessions';

export interface UsageSum {
  readonly key: string;
  readonly label: string;
  readonly calls: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: string;
}

/** An hour or a day of calls. */
export interface UsagePoint {
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: string;
  readonly latency_p50_ms: number | null;
  readonly latency_p95_ms: number | null;
  readonly ttft_p50_ms: number | null;
}

/** A change that somebody made. */
export interface AuditEntry {
  readonly id: string;
  readonly created_at: string;
  readonly actor_email: string;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly request_id: string;
  readonly address: string;
}

export interface VideoTask {
  readonly id: string;
  readonly public_id: string;
  readonly created_at: string;
  readonly submitted_at: string | null;
  readonly finished_at: string | null;
  readonly deadline_at: string;
  readonly state: string;
  readonly api: 'generic' | 'native';
  readonly token_id: string;
  readonly model: string;
  readonly channel: string | null;
  readonly upstream_model: string | null;
  readonly upstream_id: string | null;
  readonly seconds: number;
  readonly price_variant: string | null;
  readonly amount: string;
  readonly charged: string | null;
  readonly progress: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface VideoTaskWithHistory extends VideoTask {
  readonly history: readonly { readonly at: string; readonly state: string; readonly note: string }[];
}

/** Rates by name, and those of long prompts. */
export interface Rates {
  readonly [rate: string]: unknown;
  readonly long_context?: Rates & { readonly above_tokens: number };
}

/** Rates by name, and those of service tiers and of variants such as a resolution. */
export interface PriceSheet extends Rates {
  readonly tiers?: Readonly<Record<string, Rates>>;
  readonly variants?: Readonly<Record<string, Rates>>;
}

export interface CatalogModel {
  readonly slug: string;
  readonly kind: string;
  readonly max_output_tokens: number | null;
  readonly context_window: number | null;
  readonly price: PriceSheet | null;
}

export interface Model extends CatalogModel {
  readonly state: string;
  readonly priced: boolean;
  readonly price_version: string | null;
  readonly price_source: string | null;
  readonly effective_from: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ModelWithPrices extends Model {
  readonly prices: readonly {
    readonly id: string;
    readonly price: PriceSheet;
    readonly source: string;
    readonly effective_from: string;
  }[];
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly base_url: string | null;
  readonly key_hints: readonly string[];
  readonly models: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret_settings: readonly string[];
  readonly priority: number;
  readonly weight: number;
  readonly timeout: Readonly<Partial<Record<TimeLimit, string>>>;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Time limits of a channel, such as "3s". */
export type TimeLimit = 'connect' | 'first_byte' | 'idle' | 'total';

/** A setting of a type of channel, as its provider describes it. */
export interface SettingField {
  readonly name: string;
  readonly title: string;
  readonly help: string | null;
  readonly kind: 'text' | 'secret' | 'choice' | 'flag' | 'number' | 'list' | 'json';
  readonly required: boolean;
  readonly choices: readonly string[];
  readonly default: string | null;
}

/** What the field of a setting is called, and what helps to fill it in. */
export type SettingWords = Pick<SettingField, 'title' | 'help'>;

export interface ChannelType {
  readonly id: string;
  readonly title: string;
  readonly default_base_url: string | null;
  readonly needs_base_url: boolean;
  readonly needs_api_key: boolean;
  readonly settings: readonly SettingField[];
}

export interface ChannelTestAnswer {
  readonly ok: boolean;
  readonly latency_ms: number;
  readonly status: number | null;
  readonly message: string;
}

/** What the page needs to know before anybody has signed in. */
export interface PageSettings {
  /** Address of the gateway plane, without a path. */
  readonly gateway_url: string;
  readonly version: string;
  /** Whether nobody has changed or called anything yet. */
  readonly first_run: boolean;
}

export interface Setting {
  readonly name: string;
  /** "set" for what is secret, null when unset. */
  readonly value: string | null;
  readonly default: string;
  readonly meaning: string;
}

/** The environment of the console's process. */
export interface SettingsInForce {
  readonly version: string;
  readonly node_version: string;
  readonly settings: readonly Setting[];
}

interface Backlog {
  readonly count: number;
  readonly oldest_seconds: number;
}

/** How the system is. */
export interface SystemState {
  readonly planes: readonly {
    readonly plane: string;
    readonly instance: string;
    readonly version: string;
    readonly started_at: string;
    readonly seen_at: string;
    readonly alive: boolean;
  }[];
  readonly open_holds: readonly (Backlog & { readonly kind: 'call' | 'video'; readonly amount: string })[];
  /** Usage that waits to be charged. */
  readonly journal: Backlog;
  /** Figures that the last check of the books found wrong; null when nobody checks. */
  readonly drift_rows: number | null;
  readonly tasks: Readonly<Record<string, number>>;
  readonly webhooks: Backlog;
  readonly channels: readonly {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly healthy: boolean;
    readonly resting: readonly {
      readonly instance: string;
      readonly model: string;
      readonly until: string;
      readonly failures: number;
    }[];
  }[];
}

/** Codes of one worth, made together. */
export interface CodeBatch {
  readonly id: string;
  readonly amount: string;
  readonly count: number;
  readonly redeemed: number;
  readonly note: string;
  readonly expires_at: string | null;
  readonly disabled: boolean;
  readonly created_at: string;
}

/** What became of a code; its text is known to nobody here. */
export interface RedemptionCode {
  readonly id: string;
  /** The end of the code. */
  readonly hint: string;
  readonly wallet_id: string | null;
  readonly claimed_by: string | null;
  readonly claimed_at: string | null;
  readonly credited_at: string | null;
}

export interface CodeBatchWithCodes extends CodeBatch {
  /** Answered once, when they are made. */
  readonly codes: readonly string[];
}

export type PriceChange = 'new' | 'changed' | 'unchanged' | 'unknown_model';

/** A file of prices that was read and not yet applied. */
export interface PriceImport {
  readonly id: string;
  readonly counts: Readonly<Record<PriceChange, number>>;
  readonly lines: readonly {
    readonly slug: string;
    readonly change: PriceChange;
    readonly before: PriceSheet | null;
    readonly after: PriceSheet;
  }[];
}
