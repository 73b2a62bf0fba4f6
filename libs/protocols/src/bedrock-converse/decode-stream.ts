import type { Block } from '../canonical/blocks.js';
import type { StreamDecoder } from '../canonical/codec.js';
import { EventStreamDecoder } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import { readObject, readText } from '../canonical/read-fields.js';
import type { CanonicalReply, StopReason } from '../canonical/reply.js';
import { resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { restoreToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { decodeCitation } from './citations.js';
import { decodeReply, explainFailedGeneration } from './decode-response.js';
import { HOME } from './decode-content.js';
import { readFaultObject } from './errors.js';
import { isFailedGeneration, readStopReason, readStopSequence } from './map-stop-reason.js';
import { readConverseUsage } from './read-usage.js';

export function createStreamDecoder(): StreamDecoder {
  return new ConverseStreamDecoder();
}

/**
 * Reads the events of ConverseStream, which the reader of AWS's frames has made server-sent events. Only a call opens
 * with an event of its own; text and reasoning begin with their first delta.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
class ConverseStreamDecoder extends EventStreamDecoder {
  /** The upstream's index of the block that is open. */
  #index: unknown;
  #calls = false;
  /** Whether the call that is open has had any arguments. */
  #argued = false;
  #stop: StopReason | undefined;
  #stopSequence: string | undefined;

  readonly #events: ReadonlyMap<unknown, (event: JsonObject) => void> = new Map<
    unknown,
    (event: JsonObject) => void
  >([
    ['messageStart', () => this.#start()],
    ['contentBlockStart', (event) => this.#startBlock(event)],
    ['contentBlockDelta', (event) => this.#readDelta(event)],
    ['contentBlockStop', () => this.#stopBlock()],
    ['messageStop', (event) => this.#readEnd(event)],
    ['metadata', (event) => this.#readMetadata(event)],
    ['error', (event) => this.writer.fault(readFaultObject(event) ?? garbled('it failed without a reason'))],
  ]);

  protected override readEvent(event: JsonObject, name: string | undefined): void {
    this.#events.get(name)?.(event);
  }

  protected override readMark(): boolean {
    return false;
  }

  protected override decodeReply(body: JsonObject): CanonicalReply {
    return decodeReply(body);
  }

  protected override readFaultObject(body: JsonObject): Fault | undefined {
    return readFaultObject(body);
  }

  /** Each event is a piece of one block. */
  protected override countItems(): number {
    return 1;
  }

  protected override conclude(): void {
    if (this.#stop === undefined || !this.writer.started) {
      this.writer.fault(TRUNCATED);
      return;
    }
    this.#stopBlock();
    const stop = resolveStopReason(this.#stop, this.#calls);
    this.writer.endChoice(0, { stop, stopSequence: this.#stopSequence, refusal: undefined });
    this.writer.end();
  }

  #start(): void {
    this.writer.start('', '', 0);
  }

  #startBlock({ contentBlockIndex, start }: JsonObject): void {
    this.#stopBlock();
    const call = readObject(readObject(start)?.toolUse);
    if (!call || call.type === 'server_tool_use') return;
    this.#calls = true;
    this.#argued = false;
    this.#open(contentBlockIndex, {
      type: 'tool-call',
      id: readText(call.toolUseId) ?? '',
      name: restoreToolName(readText(call.name) ?? ''),
      arguments: '',
    });
  }

  #open(index: unknown, block: Block): void {
    this.#stopBlock();
    this.#start();
    this.#index = index;
    this.writer.open(0, block);
  }

  #readDelta({ contentBlockIndex: index, delta }: JsonObject): void {
    const { text, toolUse, reasoningContent, citation } = readObject(delta) ?? {};
    const cited = readObject(citation);
    if (typeof text === 'string') this.#addText(index, text);
    else if (cited) {
      this.#openAs(index, { type: 'text', text: '' });
      this.writer.delta(0, { type: 'citation', citation: decodeCitation(cited) });
    } else if (reasoningContent !== undefined) this.#addReasoning(index, readObject(reasoningContent) ?? {});
    else this.#addArguments(index, readObject(toolUse)?.input);
  }

  #addText(index: unknown, text: string): void {
    if (text === '') return;
    this.#openAs(index, { type: 'text', text: '' });
    this.writer.delta(0, { type: 'text', text });
  }

  #addReasoning(index: unknown, { text, signature, redactedContent }: JsonObject): void {
    if (typeof redactedContent === 'string') {
      this.#open(index, {
        type: 'reasoning',
        text: '',
        redacted: { protocol: HOME, value: redactedContent },
      });
    } else if (typeof text === 'string' && text !== '') {
      this.#openAs(index, { type: 'reasoning', text: '' });
      this.writer.delta(0, { type: 'reasoning', text });
    } else if (typeof signature === 'string' && signature !== '') {
      this.#openAs(index, { type: 'reasoning', text: '' });
      this.writer.delta(0, { type: 'signature', signature: { protocol: HOME, value: signature } });
    }
  }

  #addArguments(index: unknown, json: unknown): void {
    if (typeof json !== 'string' || json === '' || this.#index !== index) return;
    if (this.writer.openKind(0) !== 'tool-call') return;
    this.writer.delta(0, { type: 'arguments', json });
    this.#argued = true;
  }

  /** Opens a block unless it is the one that is open. */
  #openAs(index: unknown, block: Block): void {
    if (this.#index !== index || this.writer.openKind(0) !== block.type) this.#open(index, block);
  }

  #stopBlock(): void {
    const lacksArguments = this.writer.openKind(0) === 'tool-call' && !this.#argued;
    if (lacksArguments) this.writer.delta(0, { type: 'arguments', json: '{}' });
    this.writer.close(0);
    this.#index = undefined;
  }

  #readEnd({ stopReason, additionalModelResponseFields: fields }: JsonObject): void {
    if (isFailedGeneration(stopReason)) {
      this.writer.fault({
        message: explainFailedGeneration(stopReason),
        type: 'api_error',
        code: 'upstream_error',
      });
    }
    this.#start();
    this.#stop = readStopReason(stopReason);
    this.#stopSequence = readStopSequence(fields);
  }

  /** The last event of all; where it came before the end, the connection's end is the end. */
  #readMetadata({ usage }: JsonObject): void {
    this.writer.usage(readConverseUsage(usage));
    if (this.#stop !== undefined) this.conclude();
  }
}
