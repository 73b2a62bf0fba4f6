import { type Environment, type EnvironmentName, readEnvironment } from '@mg/contract';
import { createLogger, type Logger } from './logger.js';
import { exitWithError } from './run-plane.js';

export interface Job {
  readonly name: string;
  /** Variables without which it cannot run. */
  readonly required: readonly EnvironmentName[];
  run(options: { readonly environment: Environment; readonly logger: Logger }): Promise<void>;
}

/** The body of a job's `main.ts`: reads the environment, does its work once and exits 0, or 1 with the reason. */
export async function runJob(job: Job): Promise<void> {
  let logger: Logger | undefined;
  try {
    const environment = readEnvironment(process.env, job.required);
    logger = createLogger({ plane: job.name, level: environment.LOG_LEVEL });
    await job.run({ environment, logger });
    logger.flush(() => process.exit(0));
  } catch (error) {
    exitWithError(job.name, error, logger);
  }
}
