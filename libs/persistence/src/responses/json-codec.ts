/** Writes and reads JSON that may be megabytes long, in steps where its maker can. */
export interface JsonCodec {
  write(value: unknown): Promise<Buffer>;
  /**
   * @returns `undefined` for what holds too much to be read.
   * @throws SyntaxError
   */
  read(text: Buffer): Promise<unknown>;
}

/** In one step. */
export const PLAIN_JSON: JsonCodec = {
  write: (value) => Promise.resolve(Buffer.from(JSON.stringify(value))),
  read: (text) => Promise.resolve(JSON.parse(text.toString())),
};
