import { type EnvironmentName, EnvironmentError, readEnvironment } from '@mg/contract';
import { createLogger, type Logger } from './logger.js';
import type { PlaneOptions, RunningPlane } from './running-plane.js';

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
    const plane = await program.start({ environment, logger });
    logger.info({ address: plane.address }, `${program.name} is ready`);
    stopOnSignal(plane, logger);
  } catch (error) {
    exitWithSentence(program.name, error, logger);
  }
}

function stopOnSignal(plane: RunningPlane, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, `${plane.name} is draining`);
    plane.close().then(
      () => {
        logger.info(`${plane.name} has stopped`);
        logger.flush(() => process.exit(0));
      },
      (error: unknown) => exitWithSentence(plane.name, error, logger),
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
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
