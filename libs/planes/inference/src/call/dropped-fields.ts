import type { IncomingHttpHeaders } from 'node:http';
import { type GatewayError, GatewayError as Refusal } from '@mg/contract';
import { type Dropped, nameField, type SourceFormat } from '@mg/protocols';

/** What a conversion had to leave out, in the order it was found and each once. */
export class DroppedFields implements Dropped {
  readonly #fields = new Set<string>();
  readonly #client: SourceFormat | undefined;

  /** @param client protocol of the client, whose names of fields are used. */
  constructor(client?: SourceFormat) {
    this.#client = client;
  }

  get isEmpty(): boolean {
    return this.#fields.size === 0;
  }

  has(field: string): boolean {
    return this.#fields.has(nameField(field, this.#client));
  }

  add(field: string): void {
    this.#fields.add(nameField(field, this.#client));
  }

  /** For the header and the log: `seed,top_k`. */
  toString(): string {
    return [...this.#fields]
      .join(',')
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, 1_024);
  }

  /** The refusal for callers who asked that nothing be left out. */
  toRefusal(channelType: string): GatewayError {
    const [first] = this.#fields;
    return new Refusal(
      'invalid_request',
      `Channels of type ${channelType} cannot carry ${this.toString()}, and x-gateway-strict forbids leaving it out.`,
      { param: first },
    );
  }
}

/** Whether a caller asked that nothing be left out. */
export function isStrict(headers: IncomingHttpHeaders): boolean {
  return headers['x-gateway-strict'] === '1';
}
