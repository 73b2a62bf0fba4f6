import { omitUndefined } from '@mg/contract';
import { readCallId } from '../canonical/call-ids.js';
import type { EventWriter } from '../canonical/event-writer.js';
import type { Signature } from '../canonical/blocks.js';
import { writeInput } from '../canonical/json-text.js';
import { garbled } from '../canonical/stream-faults.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { readCallSignature } from './carry-reasoning.js';

const HOME = 'openai-chat';

interface Call {
  /** Its place among the calls. */
  readonly place: number;
  id: string | undefined;
  name: string;
  signature: Signature | undefined;
  /** Fragments that wait for their turn. */
  waiting: string;
  state: 'waiting' | 'open' | 'closed';
  /** Whether any argument has been written. */
  written: boolean;
}

/**
 * The calls of one choice of a stream, whose fragments may come mixed: blocks may not, so the first call is written as
 * it comes, and later ones are kept until it closes.
 */
export class CallQueue {
  readonly #writer: EventWriter;
  readonly #choice: number;
  readonly #makeId: (index: number) => string;
  readonly #calls: Call[] = [];
  /** The latest call of each index and each id: an upstream may send thousands. */
  readonly #byIndex = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();
  /** Calls before this place are closed. */
  #firstOpen = 0;
  #any = false;

  constructor(writer: EventWriter, choice: number, makeId: (index: number) => string) {
    this.#writer = writer;
    this.#choice = choice;
    this.#makeId = makeId;
  }

  get any(): boolean {
    return this.#any;
  }

  /** Takes one entry of `delta.tool_calls`. */
  add(entry: JsonObject): void {
    const called = isObject(entry.function) ? entry.function : {};
    const name = readString(called.name);
    const call = this.#find(entry, name) ?? this.#create(entry);
    this.#nameCall(call, readCallId(readString(entry.id)));
    if (call.name === '') call.name = name;
    this.#addSignature(call, readCallSignature(entry, HOME));
    this.#addArguments(call, called.arguments);
    this.#openNext();
  }

  /** Closes the call that is open and writes those that wait, whole: something else begins, or the choice ends. */
  flush(): void {
    for (const call of this.#calls) {
      if (call.state === 'waiting' && call.name === '' && call.waiting !== '') {
        this.#writer.fault(garbled('a tool call has no name'));
      }
      if (this.#writer.ended) return;
      if (call.state === 'waiting' && call.name !== '') this.#open(call);
      if (call.state === 'open') this.#close(call);
    }
  }

  /** An index names a call until another id or name comes under it; without one, the id does; else it is the latest. */
  #find(entry: JsonObject, name: string): Call | undefined {
    const id = readCallId(readString(entry.id));
    const call =
      typeof entry.index === 'number'
        ? this.#byIndex.get(entry.index)
        : id === ''
          ? this.#calls.at(-1)
          : this.#byId.get(id);
    if (!call) return undefined;
    const otherId = id !== '' && call.id !== undefined && call.id !== id;
    const otherName = name !== '' && call.name !== '' && call.name !== name;
    return otherId || otherName ? undefined : call;
  }

  #create(entry: JsonObject): Call {
    const call: Call = {
      place: this.#calls.length,
      id: undefined,
      name: '',
      signature: undefined,
      waiting: '',
      state: 'waiting',
      written: false,
    };
    this.#calls.push(call);
    if (typeof entry.index === 'number') this.#byIndex.set(entry.index, call);
    return call;
  }

  #nameCall(call: Call, id: string): void {
    if (id === '' || call.id !== undefined) return;
    call.id = id;
    const other = this.#byId.get(id);
    if (other === undefined || other.place < call.place) this.#byId.set(id, call);
  }

  #addSignature(call: Call, signature: Signature | undefined): void {
    if (!signature) return;
    call.signature = signature;
    if (call.state === 'open') this.#writer.delta(this.#choice, { type: 'signature', signature });
  }

  #addArguments(call: Call, value: unknown): void {
    const json = isObject(value) ? writeInput(value) : readString(value);
    if (json === '') return;
    if (call.state === 'waiting') call.waiting += json;
    else if (call.state === 'open') this.#write(call, json);
    else this.#writer.fault(garbled('arguments of a tool call come after its end'));
  }

  /** Opens the first call that waits, unless one is open already. */
  #openNext(): void {
    while (this.#calls[this.#firstOpen]?.state === 'closed') this.#firstOpen++;
    const next = this.#calls[this.#firstOpen];
    if (next?.state === 'waiting' && next.name !== '') this.#open(next);
  }

  #open(call: Call): void {
    const { signature } = call;
    this.#writer.open(this.#choice, {
      type: 'tool-call',
      id: call.id ?? this.#makeId(call.place),
      name: restoreToolName(call.name),
      arguments: '',
      ...omitUndefined({ signature }),
    });
    call.state = 'open';
    this.#any = true;
    if (call.waiting !== '') this.#write(call, call.waiting);
    call.waiting = '';
  }

  #write(call: Call, json: string): void {
    call.written = true;
    this.#writer.delta(this.#choice, { type: 'arguments', json });
  }

  #close(call: Call): void {
    if (!call.written) this.#write(call, '{}');
    this.#writer.close(this.#choice);
    call.state = 'closed';
  }
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
