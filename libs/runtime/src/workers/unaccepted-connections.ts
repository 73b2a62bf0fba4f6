import type { ChildProcess } from 'node:child_process';

interface Handover {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  readonly ack?: unknown;
}

interface Closable {
  close(): void;
}

/**
 * Closes the connections that a worker was handed and had not accepted when it ended. node:cluster keeps them open for an answer
 * that never comes (Node 24), so that their clients would wait for ever. Handing them to another worker would be wrong: this
 * one may have read a part of a request.
 */
export function closeUnacceptedConnections(worker: ChildProcess): void {
  const handedOver = new Map<unknown, Closable>();
  const send = worker.send.bind(worker) as (...parts: unknown[]) => boolean;
  worker.send = (...parts: unknown[]) => {
    const [message, handle] = parts as [Handover, unknown];
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && isClosable(handle)) {
      handedOver.set(message.seq, handle);
    }
    return send(...parts);
  };
  worker.on('internalMessage', ({ ack }: Handover) => void handedOver.delete(ack));
  worker.once('exit', () => {
    for (const connection of handedOver.values()) connection.close();
    handedOver.clear();
  });
}

function isClosable(handle: unknown): handle is Closable {
  return typeof handle === 'object' && handle !== null && 'close' in handle;
}
