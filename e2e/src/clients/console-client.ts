import { omitUndefined } from '@mg/contract';
import { ADMIN } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

export interface ConsoleAnswer<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly key?: string;
}

export interface WalletRow {
  readonly id: string;
  readonly name: string;
  readonly balance: string;
  readonly held: string;
}

export interface EntryRow {
  readonly id: string;
  readonly kind: string;
  readonly amount: string;
  readonly balance_after: string;
  readonly request_id: string | null;
  readonly note: string;
}

export interface LogRow {
  readonly request_id: string;
  readonly token_name: string;
  readonly model: string;
  readonly channel: string | null;
  readonly status: number;
  readonly error_code: string | null;
  readonly stream: boolean;
  readonly usage: {
    readonly input_tokens: number;
    readonly cached_input_tokens: number;
    readonly output_tokens: number;
    readonly reasoning_tokens: number;
  };
  readonly cost: string;
  readonly estimated: boolean;
  readonly reason: string;
  readonly lines: readonly {
    readonly meter: string;
    readonly quantity: number;
    readonly unit_price: string;
    readonly amount: string;
  }[];
  readonly attempts: readonly {
    readonly channel: string;
    readonly outcome: string;
    readonly status: number | null;
    readonly reason: string;
  }[];
}

export interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** How long a session of the administrator is used again; its access token is good for longer. */
const SESSION_MS = 5 * 60_000;

/** The administrator's session at a deployment: each login is a hash of a password, which takes as long as ten calls. */
const sessions = new WeakMap<object, { readonly client: ConsoleClient; readonly untilMs: number }>();

/** The Console's API as an operator's script uses it. */
export class ConsoleClient {
  private constructor(
    private readonly baseUrl: string,
    private readonly accessToken: string,
  ) {}

  /** Signs in the administrator of the configuration file, or takes the session that there is. */
  static async asAdmin(deployment: Pick<Deployment, 'consoleUrl'>): Promise<ConsoleClient> {
    const known = sessions.get(deployment);
    if (known && Date.now() < known.untilMs) return known.client;
    const client = await ConsoleClient.login(deployment, ADMIN);
    sessions.set(deployment, { client, untilMs: Date.now() + SESSION_MS });
    return client;
  }

  /** Signs somebody in. @throws Error with the status when that is refused. */
  static async login(
    deployment: Pick<Deployment, 'consoleUrl'>,
    credentials: { readonly email: string; readonly password: string },
  ): Promise<ConsoleClient> {
    const anonymous = new ConsoleClient(deployment.consoleUrl, '');
    const answer = await anonymous.call<{ access_token: string }>('POST', '/auth/login', credentials);
    if (answer.status !== 200) throw new Error(`login answered ${answer.status}`);
    return new ConsoleClient(deployment.consoleUrl, answer.body.access_token);
  }

  get jwt(): string {
    return this.accessToken;
  }

  async call<Body>(method: string, path: string, body?: unknown): Promise<ConsoleAnswer<Body>> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: omitUndefined({
        authorization: this.accessToken === '' ? undefined : `Bearer ${this.accessToken}`,
        'content-type': body === undefined ? undefined : 'application/json',
      }),
      signal: AbortSignal.timeout(60_000),
      ...omitUndefined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
  }

  /** A call that must succeed. @throws Error with the answer when it does not. */
  async demand<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** All rows of a list, page by page. */
  async list<Row>(path: string, pageSize = 100): Promise<Row[]> {
    const rows: Row[] = [];
    const separator = path.includes('?') ? '&' : '?';
    let cursor: string | null = null;
    do {
      const suffix: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<Row> = await this.demand('GET', `${path}${separator}limit=${pageSize}${suffix}`);
      rows.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return rows;
  }

  async findWallet(name: string): Promise<WalletRow> {
    return demandRow(await this.list<WalletRow>('/wallets'), name);
  }

  async findToken(name: string): Promise<TokenRow> {
    return demandRow(await this.list<TokenRow>('/tokens'), name);
  }

  async findChannel(name: string): Promise<ChannelRow> {
    return demandRow(await this.list<ChannelRow>('/channels'), name);
  }

  listEntries(walletId: string): Promise<EntryRow[]> {
    return this.list<EntryRow>(`/wallets/${walletId}/entries`);
  }

  /** The log row of a request, or `undefined` while it is not written yet. */
  async findLog(requestId: string): Promise<LogRow | undefined> {
    const answer = await this.call<LogRow>('GET', `/logs/${requestId}`);
    return answer.status === 200 ? answer.body : undefined;
  }
}

function demandRow<Row extends { readonly name: string }>(rows: readonly Row[], name: string): Row {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new Error(`no row is named ${name}; there are ${rows.map((each) => each.name).join(', ')}`);
  return row;
}
