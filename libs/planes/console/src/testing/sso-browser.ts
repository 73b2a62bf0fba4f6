import { type Answer, type OpenConsole } from './open-test-console.js';

type Body = Record<string, unknown>;

/** A browser that signs in through an issuer, step by step. */
export class SsoBrowser {
  readonly #cookies = new Map<string, string>();

  constructor(private readonly console: OpenConsole) {}

  /** `Set-Cookie` headers of the Console, as they came. */
  readonly seen: string[] = [];

  /** Answers the issuer's address that the browser is sent to. */
  async start(): Promise<string> {
    const answer = await this.console.call<{ url: string }>('POST', '/api/v1/auth/sso/start');
    this.#keep(answer.headers);
    return answer.body.url;
  }

  /** Begins as somebody who is signed in and links themselves; answers the issuer's address. */
  async startLink(session: string, body: object): Promise<Answer<{ url: string }>> {
    const answer = await this.console.call<{ url: string }>('POST', '/api/v1/me/sso', { session, body });
    this.#keep(answer.headers);
    return answer;
  }

  /** Goes through the issuer's pages; answers where it sends the browser back to. */
  async visit(url: string): Promise<URL> {
    const { origin } = new URL(url);
    let next = new URL(url);
    while (next.origin === origin) {
      const reply = await fetch(next, { redirect: 'manual', headers: { cookie: this.#header() } });
      this.#keep(reply.headers);
      const location = reply.headers.get('location');
      if (location === null) throw new Error(`The issuer answered ${reply.status}: ${await reply.text()}`);
      next = new URL(location, next);
    }
    return next;
  }

  /** Follows the issuer back to the Console; answers where in the page that leads. */
  async comeBack(callback: URL): Promise<URL> {
    const reply = await fetch(`${this.console.address}${callback.pathname}${callback.search}`, {
      redirect: 'manual',
      headers: { cookie: this.#header() },
    });
    this.#keep(reply.headers);
    return new URL(reply.headers.get('location') ?? '', 'http://page.test');
  }

  /** What the page does with the code of its address. */
  exchange(code: string | null): Promise<Answer<Body>> {
    return this.console.call('POST', '/api/v1/auth/sso/exchange', {
      body: { code },
      headers: { cookie: this.#header() },
    });
  }

  /** Everything, up to the page. */
  async signIn(): Promise<URL> {
    return this.comeBack(await this.visit(await this.start()));
  }

  #header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const cut = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
      if (pair.includes('mg_sso_')) this.seen.push(line);
    }
  }
}
