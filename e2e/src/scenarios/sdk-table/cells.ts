import type { UpstreamCall } from '@mg/testkit';
import { CHAT_CLIENTS } from '../../clients/chat/chat-clients.js';
import type { ChatClient, Conversation, Setup } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver, upstreamModelOver } from '../../deployment/wires.js';
import type { Row } from './rows.js';

/** An official SDK over a channel of one type. */
export interface Cell {
  readonly title: string;
  readonly client: ChatClient;
  readonly row: Row;
}

/** Every SDK over each row. */
export function listCells(rows: readonly Row[]): readonly Cell[] {
  return rows.flatMap((row) => CHAT_CLIENTS.map((client) => toCell(client, row)));
}

/** Of rows that share their protocol with others: from row to row another SDK. */
export function listCellsInTurn(rows: readonly Row[]): readonly Cell[] {
  return rows.flatMap((row, at) => {
    const client = CHAT_CLIENTS[at % CHAT_CLIENTS.length];
    return client ? [toCell(client, row)] : [];
  });
}

function toCell(client: ChatClient, row: Row): Cell {
  return { title: `${client.name} over ${row.name}`, client, row };
}

/** A conversation of the cell's SDK with a model that behaves in a certain way. */
export function openConversation(
  deployment: Deployment,
  { client, row }: Cell,
  behaviour: string,
  setup: Omit<Setup, 'model'> = {},
): Conversation {
  return client.open(deployment, { model: slugOver(row, behaviour), ...setup });
}

/** The last call that the upstream got for a behaviour. */
export function findCall(deployment: Deployment, { row }: Cell, behaviour: string): UpstreamCall {
  const model = upstreamModelOver(row, behaviour);
  const call = deployment.upstream.calls.findLast((seen) => seen.model === model && isOver(row, seen));
  if (!call) throw new Error(`the upstream was never asked for ${model}`);
  return call;
}

/** Two channels may have models of the same name. */
function isOver({ path }: Row, call: UpstreamCall): boolean {
  return call.path.startsWith(`${path}/`);
}
