import type { IncomingHttpHeaders } from 'node:http';
import { type GatewayError, GatewayError as Refusal } from '@mg/contract';
import { type Dropped, nameField, type SourceFormat } from '@mg/protocols';

/** Of what is said of them, and of the name of one, in characters: callers choose how many there are, and how long. */
const MOST_CHARACTERS = 1_024;

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
    return this.#fields.has(this.#nameOf(field));
  }

  add(field: string): void {
    this.#fields.add(this.#nameOf(field));
  }

  /** For the header and the log: `seed,top_k`. */
  toString(): string {
    let text = '';
    for (const field of this.#fields) {
      text += text === '' ? field : `,${field}`;
      if (text.length >= MOST_CHARACTERS) break;
    }
    return text.slice(0, MOST_CHARACTERS).replaceAll(/[^\x20-\x7e]/g, '?');
  }

  #nameOf(field: string): string {
    return nameField(field.slice(0, MOST_CHARACTERS), this.#client);
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
