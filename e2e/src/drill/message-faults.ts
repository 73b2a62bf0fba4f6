import type { PassAnswers } from '@mg/testkit';
import type { Socket } from 'node:net';
import { findReplyEnd } from './find-reply-end.js';

/** A message that reaches a subscriber, in RESP2 and in RESP3. */
const MESSAGE_STARTS = ['*3\r\n$7\r\nmessage\r\n', '>3\r\n$7\r\nmessage\r\n'].map((text) =>
  Buffer.from(text),
);
/** Copies of a message for other subscribers come within moments. */
const REMEMBERED = 2_000;
const DROPPED_SHARE = 0.03;
const DOUBLED_SHARE = 0.05;
const DELAYED_SHARE = 0.05;
/** Longer than planes wait for a reply (800 ms), so that requests and replies also come after their time. */
const DELAY_MS = 2_000;

type MessageFault =
  | { readonly kind: 'passed' | 'dropped' | 'doubled' }
  | { readonly kind: 'delayed'; readonly ms: number };

/**
 * Loses, doubles and delays messages between planes on their way out of Redis. A message has one fault for all of its
 * subscribers; which one, follows from the seed and the order of messages.
 */
export class MessageFaults {
  /** Messages by what became of them, while it was on. */
  readonly counts: Record<MessageFault['kind'], number> = { passed: 0, dropped: 0, doubled: 0, delayed: 0 };
  isOn = false;
  readonly #faults = new Map<string, MessageFault>();

  constructor(private readonly random: () => number) {}

  /** To be given to a proxy before Redis. */
  readonly pass: PassAnswers = (server, client) => {
    let rest: Buffer = Buffer.alloc(0);
    server.on('data', (bytes: Buffer) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let start = 0;
      for (let end = findReplyEnd(rest, 0); end !== undefined; end = findReplyEnd(rest, start)) {
        this.#deliver(rest.subarray(start, end), client);
        start = end;
      }
      rest = rest.subarray(start);
    });
  };

  #deliver(reply: Buffer, client: Socket): void {
    const fault: MessageFault = this.isOn && isMessage(reply) ? this.#decide(reply) : { kind: 'passed' };
    if (fault.kind === 'dropped') return;
    if (fault.kind === 'delayed') {
      setTimeout(() => client.writable && client.write(reply), fault.ms);
      return;
    }
    client.write(reply);
    if (fault.kind === 'doubled') client.write(reply);
  }

  #decide(reply: Buffer): MessageFault {
    const message = reply.toString('latin1');
    const known = this.#faults.get(message);
    if (known) return known;
    const fault = this.#draw();
    this.counts[fault.kind]++;
    this.#faults.set(message, fault);
    for (const oldest of this.#faults.keys()) {
      if (this.#faults.size <= REMEMBERED) break;
      this.#faults.delete(oldest);
    }
    return fault;
  }

  #draw(): MessageFault {
    const [share, delay] = [this.random(), this.random()];
    if (share < DROPPED_SHARE) return { kind: 'dropped' };
    if (share < DROPPED_SHARE + DOUBLED_SHARE) return { kind: 'doubled' };
    if (share < DROPPED_SHARE + DOUBLED_SHARE + DELAYED_SHARE)
      return { kind: 'delayed', ms: delay * DELAY_MS };
    return { kind: 'passed' };
  }
}

function isMessage(reply: Buffer): boolean {
  return MESSAGE_STARTS.some((start) => reply.subarray(0, start.length).equals(start));
}
