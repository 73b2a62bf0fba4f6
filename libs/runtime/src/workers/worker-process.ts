import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';

/** How a process ended: by its code or by a signal. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process that serves beside others, as its primary sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Does nothing once the process has ended. */
  send(message: MessageToWorker): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  onMessage(listener: (message: MessageFromWorker) => void): void;
  /** Called once. */
  onEnd(listener: (end: WorkerEnd) => void): void;
}
