import type { Catalog } from '@mg/contract';

const DEBOUNCE_MS = 20;
const RETRY_MS = 500;
/** Announcements can be lost with a connection that broke unnoticed; so everything is also read now and then. */
const REFRESH_MS = 30_000;

const EMPTY: Catalog = Object.freeze({ version: 0, models: new Map(), channelsBySlug: new Map() });

/** The configuration that gateways and workers route by: one immutable snapshot, swapped whole when the database announces a change. */
export class CatalogFeed {
  readonly #load: (version: number) => Promise<Catalog>;
  readonly #onFailure: (error: unknown) => void;
  #catalog: Catalog = EMPTY;
  #version = 0;
  #wanted = false;
  #loading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(load: (version: number) => Promise<Catalog>, onFailure: (error: unknown) => void) {
    this.#load = load;
    this.#onFailure = onFailure;
  }

  get current(): Catalog {
    return this.#catalog;
  }

  get loaded(): boolean {
    return this.#catalog !== EMPTY;
  }

  /** Reads the first snapshot. @throws when the database cannot be read. */
  async start(): Promise<void> {
    this.#loading = this.#reload().finally(() => (this.#loading = undefined));
    await this.#loading;
    this.#scheduleIn(this.#wanted ? DEBOUNCE_MS : REFRESH_MS);
  }

  /** Reads again soon; several announcements in a row are one reading. */
  refresh(): void {
    this.#wanted = true;
    if (!this.#loading) this.#scheduleIn(DEBOUNCE_MS);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#loading;
  }

  #scheduleIn(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#loading = this.#reloadSafely().finally(() => (this.#loading = undefined));
    }, delayMs);
  }

  async #reloadSafely(): Promise<void> {
    this.#wanted = false;
    try {
      await this.#reload();
      this.#scheduleIn(this.#wanted ? DEBOUNCE_MS : REFRESH_MS);
    } catch (error) {
      this.#onFailure(error);
      this.#scheduleIn(RETRY_MS);
    }
  }

  async #reload(): Promise<void> {
    this.#catalog = await this.#load(++this.#version);
  }
}
