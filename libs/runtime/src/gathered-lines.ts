/** Where gathered lines go: each text is written by one system call. */
export interface LineDestination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
  flushSync(): void;
}

export interface GatheringOptions {
  /** Lines are passed on once they have so many bytes together. */
  readonly enoughBytes: number;
  /** So many bytes are passed on at once at most, unless a line has more. */
  readonly mostBytes: number;
  /** A line waits no longer for others. */
  readonly passWithinMs: number;
}

/**
 * Gathers lines of the log until there are enough for a write. The destination would do so as well, but by adding each line to
 * a text that it makes flat again each time: as much copying for each line as all lines that wait have.
 */
export class GatheredLines {
  readonly #destination: LineDestination;
  readonly #options: GatheringOptions;
  #lines: string[] = [];
  #bytes = 0;
  /** Runs only while lines wait: a process without any is not woken. */
  #timer: NodeJS.Timeout | undefined;

  constructor(destination: LineDestination, options: GatheringOptions) {
    this.#destination = destination;
    this.#options = options;
    gathering.add(this);
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    const { enoughBytes, mostBytes, passWithinMs } = this.#options;
    if (this.#bytes + bytes > mostBytes) this.#pass();
    this.#lines.push(line);
    this.#bytes += bytes;
    if (this.#bytes >= enoughBytes) this.#pass();
    else this.#timer ??= setTimeout(() => this.#pass(), passWithinMs).unref();
  }

  /** Calls back once all lines are written. */
  flush(done?: (error?: Error) => void): void {
    this.#pass();
    this.#destination.flush(done);
  }

  /** Writes all lines before it returns: the process ends. */
  flushSync(): void {
    this.#pass();
    this.#destination.flushSync();
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#bytes = 0;
    this.#destination.write(text);
  }
}

/** Those of this process; there are as many as planes. One listener for all, since Node warns of more than ten. */
const gathering = new Set<GatheredLines>();
process.on('exit', () => {
  for (const lines of gathering) lines.flushSync();
});
