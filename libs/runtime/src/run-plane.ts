import { type Environment, type EnvironmentName, EnvironmentError, readEnvironment } from '@mg/contract';
import { createLogger, type Logger } from './logger.js';
import { type PlaneOptions, type RunningPlane, StopRequested } from './running-plane.js';

/** How long a start may still take once it is to be undone. */
const START_GRACE_MS = 10_000;
/** How long a stop may take beyond the drain. Whatever hangs then is left: the process would be killed soon, without a word. */
const STOP_GRACE_MS = 14_000;
/** How long the last lines of the log may take. */
const FLUSH_WITHIN_MS = 2_000;

export interface PlaneProgram {
  readonly name: string;
  /** Variables without which this plane cannot start. */
  readonly required?: readonly EnvironmentName[];
  /** Given to a worker by its primary; read from the process's variables otherwise. */
  readonly environment?: Environment;
  start(options: PlaneOptions): Promise<RunningPlane>;
}

/** The body of a plane's `main.ts`: reads the environment, starts, and on SIGINT or SIGTERM drains and exits 0. */
export async function runPlane(program: PlaneProgram): Promise<void> {
  let logger: Logger | undefined;
  try {
    const environment = program.environment ?? readEnvironment(process.env, program.required);
    const sharesOutput = environment.GATEWAY_WORKERS !== 1;
    logger = createLogger({ plane: program.name, level: environment.LOG_LEVEL, sharesOutput });
    const stop = new AbortController();
    const starting = program.start({ environment, logger, signal: stop.signal });
    const withinMs = environment.DRAIN_TIMEOUT_SECONDS * 1_000 + STOP_GRACE_MS;
    stopOnSignal({ name: program.name, starting, stop, logger, withinMs });
    const plane = await starting;
    logger.info({ address: plane.address }, `${program.name} is ready`);
  } catch (error) {
    // Whoever told it to stop waits for the end of the process already.
    if (!(error instanceof StopRequested)) exitWithError(program.name, error, logger);
  }
}

/** What a signal ends. */
interface Running {
  readonly name: string;
  readonly starting: Promise<RunningPlane>;
  /** Aborts a start that is in progress. */
  readonly stop: AbortController;
  readonly logger: Logger;
  /** How long it may take, in milliseconds. */
  readonly withinMs: number;
}

/** A signal that comes during the start counts too: the start comes to its end, within reason, and is undone. */
function stopOnSignal(running: Running): void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (running.stop.signal.aborted) return;
    running.logger.info({ signal }, `${running.name} is draining`);
    running.stop.abort(new StopRequested());
    void drainAndExit(running);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function drainAndExit({ name, starting, logger, withinMs }: Running): Promise<void> {
  const exit = () => flushAndExit(logger, 0);
  const giveUp = setTimeout(exit, START_GRACE_MS);
  try {
    const plane = await starting;
    clearTimeout(giveUp);
    setTimeout(() => exitWithError(name, new Error(`not stopped within ${withinMs} ms`), logger), withinMs);
    await plane.close();
    logger.info(`${name} has stopped`);
    exit();
  } catch (error) {
    if (error instanceof StopRequested) exit();
    else exitWithError(name, error, logger);
  }
}

/** Ends the process with the reason on stderr: one sentence for a wrong environment, the stack for anything else. */
export function exitWithError(plane: string, error: unknown, logger?: Logger): void {
  const isOurs = error instanceof EnvironmentError;
  logger?.fatal({ err: isOurs ? undefined : error }, `${plane} cannot run`);
  process.stderr.write(`${plane} cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  if (logger) flushAndExit(logger, 1);
  else process.exit(1);
}

/** Output that nobody reads keeps no process: what it does not take in time is written once more at the exit, or lost. */
function flushAndExit(logger: Logger, code: number): void {
  setTimeout(() => process.exit(code), FLUSH_WITHIN_MS);
  logger.flush(() => process.exit(code));
}
