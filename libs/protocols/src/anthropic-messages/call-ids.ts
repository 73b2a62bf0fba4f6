const VALID = /^[a-zA-Z0-9_-]+$/;

/**
 * Ids of calls as this protocol takes them: letters, digits, `_` and `-`, each used once in a conversation. Others are
 * rewritten, the call and its result alike.
 */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #written = new Map<string, string>();

  /** The id to write for a call. */
  add(id: string): string {
    const valid = VALID.test(id) ? id : id.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    let unique = valid;
    for (let count = 2; this.#used.has(unique); count++) unique = `${valid}_${count}`;
    this.#used.add(unique);
    this.#written.set(id, unique);
    return unique;
  }

  /** The id that the latest call of this name was written with. */
  find(id: string): string {
    return this.#written.get(id) ?? id;
  }
}
