import { type EnvironmentName, EnvironmentError, readEnvironment } from '@mg/contract';
import { createLogger, type Logger } from './logger.js';
import type { PlaneOptions, RunningPlane } from './running-plane.js';

/** How long a start may still take once it is to be undone. */
const START_GRACE_MS = 10_000;

export interface PlaneProgram {
  readonly name: string;
  /** Variables without which this plane cannot start. */
  readonly required: readonly EnvironmentName[];
  start(options: PlaneOptions): Promise<RunningPlane>;
}

/** The body of a plane's `main.ts`: reads the environment, starts, and on SIGINT or SIGTERM drains and exits 0. */
export async function runPlane(program: PlaneProgram): Promise<void> {
  let logger: Logger | undefined;
  try {
    const environment = readEnvironment(process.env, program.required);
    logger = createLogger({ plane: program.name, level: environment.LOG_LEVEL });
    const starting = program.start({ environment, logger });
    stopOnSignal(program.name, starting, logger);
    const plane = await starting;
    logger.info({ address: plane.address }, `${program.name} is ready`);
  } catch (error) {
    exitWithSentence(program.name, error, logger);
  }
}

/** A signal that comes during the start counts too: the start comes to its end, within reason, and is undone. */
function stopOnSignal(name: string, starting: Promise<RunningPlane>, logger: Logger): void {
  let stopping: Promise<void> | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    logger.info({ signal }, `${name} is draining`);
    stopping = drainAndExit(name, starting, logger);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

async function drainAndExit(name: string, starting: Promise<RunningPlane>, logger: Logger): Promise<void> {
  const exit = () => logger.flush(() => process.exit(0));
  const giveUp = setTimeout(exit, START_GRACE_MS);
  try {
    const plane = await starting;
    clearTimeout(giveUp);
    await plane.close();
    logger.info(`${name} has stopped`);
    exit();
  } catch (error) {
    exitWithSentence(name, error, logger);
  }
}

/** Ends the process with the reason on stderr: one sentence for a wrong environment, the stack for anything else. */
export function exitWithSentence(plane: string, error: unknown, logger?: Logger): void {
  const isOurs = error instanceof EnvironmentError;
  logger?.fatal({ err: isOurs ? undefined : error }, `${plane} cannot run`);
  process.stderr.write(`${plane} cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  if (logger) logger.flush(() => process.exit(1));
  else process.exit(1);
}
