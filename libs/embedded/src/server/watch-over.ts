import { spawn } from 'node:child_process';

/**
 * A shell that reads from a pipe of which the owner holds the other end. A line means "the server was stopped"; the
 * pipe's end without a line means that the owner is gone, be it by kill -9, since the kernel closes what it held.
 */
const SCRIPT = `
read -r line && exit 0
kill -s "$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do
  tries=$((tries + 1))
  sleep 0.1
done
kill -9 "$1" 2>/dev/null
[ -z "$3" ] || rm -rf "$3"
`;

export interface Watched {
  readonly pid: number;
  readonly stopSignal: NodeJS.Signals;
  /** Removed when the owner dies. */
  readonly removeOnStop?: string;
}

/**
 * Starts a watchdog of a megabyte that stops a server whose owner died without stopping it.
 *
 * @returns how to dismiss it once the server has been stopped.
 */
export function watchOver(watched: Watched): () => Promise<void> {
  const signal = watched.stopSignal.slice('SIG'.length);
  const watchdog = spawn(
    '/bin/sh',
    ['-c', SCRIPT, 'model-gateway-watchdog', String(watched.pid), signal, watched.removeOnStop ?? ''],
    // A session of its own: Ctrl-C and the end of the terminal must not end it before the owner.
    { detached: true, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] },
  );
  watchdog.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    watchdog.once('exit', () => resolve());
    watchdog.once('error', () => resolve());
  });
  return () => {
    watchdog.stdin.end('stopped\n');
    return ended;
  };
}
