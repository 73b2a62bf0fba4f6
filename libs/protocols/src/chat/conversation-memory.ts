import type { UpstreamError } from '../canonical/upstream-error.js';
import type { JsonObject } from '../json.js';

/** What a request refers to of earlier calls, and whether later ones may refer to it. */
export interface References {
  /** The response that it goes on from. */
  readonly previousId: string | undefined;
  /** The conversation that it goes on with and adds to. */
  readonly conversationId: string | undefined;
  /** Ids of items that it names instead of giving them. */
  readonly itemIds: readonly string[];
  /** Whether its client lets the answer be kept. */
  readonly mayKeep: boolean;
  /** Whether it holds a compaction of this gateway. */
  readonly holdsCompaction: boolean;
  /** What it brings itself. */
  readonly input: readonly unknown[];
}

/** How requests of a protocol refer to earlier calls, and how they are written without. */
export interface ConversationMemory {
  /** Whether a body may hold a reference; most do not, and are not parsed for it. */
  mayRefer(body: Buffer): boolean;
  /** @throws GatewayError `invalid_request` for what is no reference. */
  readReferences(request: JsonObject): References;
  /** The items of an input with those that are known in the place of references to them. */
  resolveItems(input: readonly unknown[], known: ReadonlyMap<string, unknown>): readonly unknown[];
  /** What is sealed in a compaction item of this gateway; `undefined` for any other item. */
  readCompaction(item: unknown): string | undefined;
  /** Whether an item asks for all that stands before it to be compacted. */
  isCompactionTrigger(item: unknown): boolean;
  /** What a model reads in the place of a compaction item. */
  writeSummary(summary: string): JsonObject;
  /** The request with a whole conversation as its input, given as JSON; in pieces, since it may be large. */
  replaceInput(body: Buffer, input: Buffer): readonly Buffer[];
  /** The same for an upstream that keeps what the request goes on from: with its reference, and the input that it brings. */
  replaceOwnInput(body: Buffer, input: Buffer): readonly Buffer[];
  /** Whether an error of an upstream says that it does not know the response that a request goes on from. */
  isForgotten(error: UpstreamError): boolean;
  listItemIds(items: readonly unknown[]): string[];
  /** The id by which a conversation is to know an item: its own, or a new one made of what is unique. */
  nameItem(item: unknown, unique: string): string;
  /** The items of a response's answer. */
  readOutput(response: unknown): readonly unknown[];
  /**
   * The most tokens that a provider which keeps a response reads later beside what its items show: reasoning, above all.
   *
   * @returns `undefined` where nothing bounds them, as after searches whose results nobody was shown.
   */
  boundUnshownTokens(response: unknown): number | undefined;
  /**
   * A response that later calls may go on from, out of an answer's last bytes.
   *
   * @param pause is waited for between two steps of reading a long one.
   * @returns `undefined` where the answer failed, or is none that has an id.
   */
  readFinishedResponse(
    bytes: Buffer,
    stream: boolean,
    pause: () => Promise<void>,
  ): Promise<JsonObject | undefined>;
  /** Items as clients list them: each with an id. */
  listInputItems(responseId: string, items: readonly unknown[]): JsonObject[];
}
