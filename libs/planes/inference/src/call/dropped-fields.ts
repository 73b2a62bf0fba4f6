import { type GatewayError, GatewayError as Refusal } from '@mg/contract';
import { type Dropped, nameField, type ProtocolName } from '@mg/protocols';

/** What a conversion had to leave out, in the order it was found and each once. */
export class DroppedFields implements Dropped {
  readonly #fields = new Set<string>();
  readonly #client: ProtocolName | undefined;

  /** @param client protocol of the client, in whose words fields are named. */
  constructor(client?: ProtocolName) {
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
