import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { writeAwsFrame } from './aws-frame.js';
import type { StreamStyle } from './behaviour.js';

/** Writes events to a client in a given style and stops asking for more when the client has gone. */
export class EventWire {
  /** Line ends that the last event still lacks. */
  private tail = '';

  constructor(
    private readonly response: ServerResponse,
    private readonly style: StreamStyle,
  ) {}

  get isOpen(): boolean {
    return !this.response.destroyed;
  }

  /** Writes one event, with its name where it has one. Resolves when the client has room for the next. */
  async writeEvent(payload: string, name?: string): Promise<void> {
    const { frames } = this.style;
    await (frames ? this.writeBytes(frameEvent(payload, name, frames)) : this.writeLines(payload, name));
    if (this.style.paceMs !== undefined) await sleep(this.style.paceMs);
  }

  private async writeLines(payload: string, name?: string): Promise<void> {
    const newline = this.style.newline ?? '\n';
    const comment = this.style.comment === undefined ? '' : `: ${this.style.comment}${newline}${newline}`;
    const title = name === undefined ? '' : `event: ${name}${newline}`;
    const line = `${this.tail}${comment}${title}${this.style.prefix ?? 'data: '}${payload}`;
    const end = newline + newline;
    this.tail = this.style.finalNewline === false ? end : '';
    await this.writeBytes(Buffer.from(this.tail === '' ? line + end : line));
  }

  private async writeBytes(bytes: Buffer): Promise<void> {
    const size = this.style.splitBytes ?? bytes.length;
    for (let at = 0; at < bytes.length && this.isOpen; at += size) {
      const hasRoom = this.response.write(bytes.subarray(at, at + size));
      if (!hasRoom) await waitForRoom(this.response);
      if (this.style.splitPauseMs !== undefined) await sleep(this.style.splitPauseMs);
      else if (this.style.splitBytes !== undefined) await nextTurn();
    }
  }
}

/** An event in a frame of AWS; a failure is an exception, whose name says so. */
function frameEvent(payload: string, name = '', frames: NonNullable<StreamStyle['frames']>): Buffer {
  const shared = { ':content-type': 'application/json' };
  if (name.endsWith('Exception')) {
    return writeAwsFrame({ ...shared, ':exception-type': name, ':message-type': 'exception' }, payload);
  }
  const isWrapped = frames === 'wrapped';
  const headers = { ...shared, ':event-type': isWrapped ? 'chunk' : name, ':message-type': 'event' };
  const bytes = Buffer.from(payload).toString('base64');
  return writeAwsFrame(headers, isWrapped ? JSON.stringify({ bytes, p: 'abcdef' }) : payload);
}

async function waitForRoom(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      resolve();
    };
    response.on('drain', go);
    response.on('close', go);
    if (response.destroyed) go();
  });
}
