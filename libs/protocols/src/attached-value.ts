/**
 * A value that is kept with an object for as long as that lives, and that nobody who lists the object's members sees.
 *
 * A `WeakMap` would do, but for large values: what is reachable through its entries alone is marked by V8's garbage collector
 * while nothing else goes on, which took 80 ms for what a body of 10 MB had been parsed to. A member is marked in steps.
 */
export class AttachedValue<Owner extends object, Value> {
  readonly #key = Symbol('attached');

  get(owner: Owner): Value | undefined {
    return (owner as { readonly [key: symbol]: Value | undefined })[this.#key];
  }

  set(owner: Owner, value: Value): void {
    Object.defineProperty(owner, this.#key, { value, configurable: true });
  }
}
