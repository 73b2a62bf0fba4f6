/** Lets those who wait go on in order, one in each turn of the event loop. */
function createQueue(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

/**
 * Waits for a turn of the event loop in which nobody else does heavy work. Large bodies are read and written in steps of some
 * milliseconds; with one step a turn everything else goes on in between, however many such bodies there are.
 */
export const nextTurn = createQueue();

/** What is begun, sent and read in one turn of the event loop, of all calls together. */
const ROOM_IN_A_TURN_MS = 4;
let roomSinceMs: number | undefined;
const waitingForRoom: (() => void)[] = [];

/**
 * Goes on, in order of arrival, in a turn of the event loop that has room for one more call that begins, or for a piece of a body.
 * Sixty calls that come in, or whose wallets have answered, in the same turn would hold the loop for 60 ms and more.
 */
export function whenThereIsRoom(goOn: () => void): void {
  if (hasRoom()) goOn();
  else waitingForRoom.push(goOn);
}

/** The same as a promise, or nothing while there is room. */
export function waitForRoom(): Promise<void> | undefined {
  return hasRoom() ? undefined : new Promise((resolve) => void waitingForRoom.push(resolve));
}

function hasRoom(): boolean {
  const nowMs = performance.now();
  if (roomSinceMs === undefined) {
    roomSinceMs = nowMs;
    setImmediate(makeRoom);
    return true;
  }
  return waitingForRoom.length === 0 && nowMs - roomSinceMs < ROOM_IN_A_TURN_MS;
}

function makeRoom(): void {
  roomSinceMs = undefined;
  if (waitingForRoom.length === 0) return;
  roomSinceMs = performance.now();
  setImmediate(makeRoom);
  letNextGoOn();
}

/** What goes on runs in microtasks; how long that took is known in the tick after them. */
function letNextGoOn(): void {
  if (roomSinceMs === undefined || performance.now() - roomSinceMs >= ROOM_IN_A_TURN_MS) return;
  const goOn = waitingForRoom.shift();
  if (!goOn) return;
  queueMicrotask(() => process.nextTick(letNextGoOn));
  goOn();
}

/** Less of a body than this is read at once: it costs less than waiting does. */
const READ_AT_ONCE_BYTES = 16 * 1024;

/** Waits for a turn of the event loop in which no other body is read on, beside the heavy work of another call. */
const nextReader = createQueue();

/** Bytes of one body that are read in a row: what the network brings at once. */
const READ_IN_A_TURN_BYTES = 64 * 1024;

/**
 * Paces the reading of a body: a fast sender has megabytes read in one turn of the event loop, and others beside it do the
 * same. Each piece is memory outside of V8's heap, and where there is much of that, V8 marks for up to ten milliseconds whenever
 * it gets more: eight pieces in one turn held it for 88.
 */
export class ReadingPace {
  #bytes = 0;
  #readAtOnceBytes = 0;

  /**
   * What is to be waited for before a piece of the body is read: eight large bodies have a piece each in the same turn, and a piece
   * of nothing but numbers takes milliseconds. Nothing for a small piece, until such pieces add up.
   */
  waitFor(bytes: number): Promise<void> | undefined {
    this.#readAtOnceBytes += bytes;
    if (this.#readAtOnceBytes < READ_AT_ONCE_BYTES) return undefined;
    this.#readAtOnceBytes = 0;
    return waitForRoom();
  }

  /**
   * Reads a piece of the body 16 KB after another, each in a turn that has room for it: where V8 has just dropped the code that it
   * had optimized, 64 KB of nothing but names or numbers take eight milliseconds and not two.
   *
   * @returns what is to be waited for until all of it is read; nothing where it has been.
   */
  readInSteps(chunk: Buffer, read: (step: Buffer) => void): Promise<void> | undefined {
    for (let at = 0; at < chunk.length; at += READ_AT_ONCE_BYTES) {
      const rest = chunk.subarray(at);
      const turn = this.waitFor(Math.min(rest.length, READ_AT_ONCE_BYTES));
      if (turn) return this.#readLater(turn, rest, read);
      read(rest.subarray(0, READ_AT_ONCE_BYTES));
    }
    return undefined;
  }

  async #readLater(turn: Promise<void>, rest: Buffer, read: (step: Buffer) => void): Promise<void> {
    await turn;
    read(rest.subarray(0, READ_AT_ONCE_BYTES));
    await this.readInSteps(rest.subarray(READ_AT_ONCE_BYTES), read);
  }

  /** @returns what is to be waited for before more is read; nothing as long as little was read in a row. */
  count(bytes: number): Promise<void> | undefined {
    this.#bytes += bytes;
    if (this.#bytes < READ_IN_A_TURN_BYTES) return undefined;
    this.#bytes = 0;
    return nextReader();
  }
}

/** Bodies up to this size are read and written in one step: it takes two milliseconds at most. */
const ONE_STEP_BYTES = 512 * 1024;

/** Whether work on so many bytes is to be done in steps. */
export function isHeavy(bytes: number): boolean {
  return bytes > ONE_STEP_BYTES;
}

/**
 * Objects, arrays and different names that are parsed or converted in one step: it takes some milliseconds, however few bytes they
 * have. An agent's body has some hundreds.
 */
const ONE_STEP_PARTS = 2_000;

/** Whether a body is read and converted in steps: for its bytes, or for the objects, arrays and different names in it. */
export function isLarge(bytes: number, parts: number): boolean {
  return isHeavy(bytes) || parts > ONE_STEP_PARTS;
}

/** An answer, or arguments in it, up to this size is written and read in one step: as many names as it may have take some milliseconds. */
const ONE_STEP_ANSWER_BYTES = 64 * 1024;

/** Whether an answer of so many bytes is converted in one step. */
export function isOneStep(bytes: number): boolean {
  return bytes <= ONE_STEP_ANSWER_BYTES;
}
