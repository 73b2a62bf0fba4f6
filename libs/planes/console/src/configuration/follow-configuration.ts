import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConfigurationFile, GatewayError } from '@mg/contract';
import { applySeeds, type SeedFacts } from '../seed/apply-seeds.js';
import { applyBootstrap, type ConsoleBootstrap } from './apply-bootstrap.js';
import { applyConfiguration, type ApplyParts } from './apply-configuration.js';
import { ConfigurationError, readConfiguration } from './read-configuration.js';
import { watchFile } from './watch-file.js';

/** How long a start waits for billing, which opens the wallets. */
const BILLING_PATIENCE_MS = 60_000;
const RETRY_MS = 500;

interface ConfigurationSources extends SeedFacts {
  /** Path of the YAML file, if there is one. */
  readonly path: string | undefined;
  readonly bootstrap: ConsoleBootstrap | undefined;
}

interface FollowedConfiguration {
  close(): Promise<void>;
}

/** A configuration that has been read and found right, and not been applied yet. */
export interface ReadyConfiguration {
  /** Applies everything there is to apply, then follows the file. */
  apply(parts: ApplyParts): Promise<FollowedConfiguration>;
}

/**
 * Reads the configuration file before anything else happens, so that a wrong one stops the process at once.
 *
 * @throws ConfigurationError with a sentence that names the key.
 */
export async function readFirstConfiguration(sources: ConfigurationSources): Promise<ReadyConfiguration> {
  const { path } = sources;
  const text = path === undefined ? '' : await readText(path);
  const file = readConfiguration(text, sources.variables);
  return {
    async apply(parts) {
      const stop = new AbortController();
      await waitForBilling(parts, stop.signal, () => applyAll(parts, sources, file));
      if (path === undefined) return { close: () => Promise.resolve() };
      const watched = watchFile(path, text, (changed) => reapply(parts, sources, changed, stop.signal));
      return {
        close() {
          stop.abort();
          return watched.close();
        },
      };
    },
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigurationError(`GATEWAY_CONFIG: the file ${path} cannot be read (${code}).`);
  }
}

/** One console at a time; of two that start together the second finds everything done. */
function applyAll(parts: ApplyParts, sources: ConfigurationSources, file: ConfigurationFile): Promise<void> {
  return parts.store.exclusively(async () => {
    if (sources.bootstrap && !file.admin) await applyBootstrap(parts, sources.bootstrap);
    if (sources.path !== undefined) await applyConfiguration(parts, file);
    await applySeeds(parts, sources);
  });
}

/** A file that turns out wrong while we run changes nothing: what was applied before stays in force. */
async function reapply(
  parts: ApplyParts,
  sources: ConfigurationSources,
  text: string,
  stop: AbortSignal,
): Promise<void> {
  try {
    const file = readConfiguration(text, sources.variables);
    await waitForBilling(parts, stop, () => parts.store.exclusively(() => applyConfiguration(parts, file)));
  } catch (error) {
    const isOurs = error instanceof ConfigurationError || error instanceof GatewayError;
    parts.logger.error(
      isOurs ? { reason: error.message } : { err: error },
      'the changed configuration file is not applied; the one before stays in force',
    );
  }
}

/** A console that stops waits no longer: the next one applies the file at its start. */
async function waitForBilling(
  parts: ApplyParts,
  stop: AbortSignal,
  apply: () => Promise<void>,
): Promise<void> {
  const givesUpAt = performance.now() + BILLING_PATIENCE_MS;
  for (;;) {
    try {
      return await apply();
    } catch (error) {
      const isWaiting = error instanceof GatewayError && error.code === 'service_unavailable';
      if (!isWaiting || stop.aborted || performance.now() > givesUpAt) throw error;
      parts.logger.warn('waiting for the billing plane');
      await sleep(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
