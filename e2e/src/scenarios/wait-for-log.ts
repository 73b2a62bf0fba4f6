import { ConsoleClient, type LogRow } from '../clients/console-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/** What the gateway wrote down of a call, by the id in its answer. */
export async function waitForLog(
  deployment: Deployment,
  headers: Readonly<Record<string, string>>,
): Promise<LogRow> {
  const console = await ConsoleClient.asAdmin(deployment);
  const requestId = headers['x-request-id'] ?? '';
  return waitUntil(`the log of ${requestId}`, () => console.findLog(requestId));
}

/** All calls of a model, the newest first. */
export async function listLogs(deployment: Deployment, model: string): Promise<LogRow[]> {
  const console = await ConsoleClient.asAdmin(deployment);
  return console.list<LogRow>(`/logs?model=${model}`);
}
