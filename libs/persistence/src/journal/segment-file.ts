import {
  type CallLease,
  type HoldOwner,
  type JournalPayer,
  type JournalRow,
  NO_USAGE,
  omitUndefined,
  sha256,
  usageFromRow,
  usageToRow,
  type WastedAttempt,
  wasteFromRows,
  wasteToRows,
} from '@mg/contract';

const EXTENSION = '.jsonl';
/** A file's name may have 255 bytes; epoch, number and extension take less than the rest. */
const MAX_INSTANCE_LENGTH = 160;
const SEGMENT_NAME = /^(?<instance>[^/]+)\.(?<epoch>[0-9a-f-]{36})\.\d+\.jsonl$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whose rows a segment holds. The instance is as the file's name spells it. */
export interface SegmentOwner {
  readonly instance: string;
  readonly epoch: string;
}

/** Different owners have different names, whatever characters they consist of. */
export function nameSegment(owner: HoldOwner, number: number): string {
  return `${spellInstance(owner.instance)}.${owner.epoch}.${number}${EXTENSION}`;
}

/** @returns `undefined` for a file that is no segment. */
export function readSegmentOwner(fileName: string): SegmentOwner | undefined {
  const groups = SEGMENT_NAME.exec(fileName)?.groups;
  return groups?.instance && groups.epoch ? { instance: groups.instance, epoch: groups.epoch } : undefined;
}

/** An instance as it stands in the names of its segments. */
export function spellInstance(instance: string): string {
  const spelled = encodeURIComponent(instance);
  return spelled.length > MAX_INSTANCE_LENGTH ? sha256(instance) : spelled;
}

/** A row as a line of a segment. Only a `cancel` says its phase, which a gateway of an earlier version takes for no row. */
export function writeLine(row: JournalRow): string {
  const { requestId, seq, phase, usage, estimated, payer, waste, lease } = row;
  return `${JSON.stringify({
    request_id: requestId,
    seq,
    phase: phase === 'usage' ? undefined : phase,
    usage: phase === 'usage' ? usageToRow(usage) : undefined,
    estimated: phase === 'usage' ? estimated : undefined,
    wallet_id: payer?.walletId,
    token_id: payer?.tokenId,
    price_version_id: payer?.priceVersionId,
    lease_id: lease?.id,
    lease_worst: lease?.worst.toString(),
    waste: waste ? wasteToRows(waste) : undefined,
  })}\n`;
}

/** What is read of a segment: its rows, and lines that are none. */
export interface SegmentContent {
  readonly rows: readonly JournalRow[];
  readonly damaged: readonly string[];
}

/** A last line without its end was never written in full: its answer did not go out, so it counts as not there. */
export function readSegment(text: string): SegmentContent {
  const rows: JournalRow[] = [];
  const damaged: string[] = [];
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line === '') continue;
    const row = readLine(line);
    if (row) rows.push(row);
    else damaged.push(line);
  }
  return { rows, damaged };
}

function readLine(line: string): JournalRow | undefined {
  const parsed = parseLine(line);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const members = parsed as Record<string, unknown>;
  const { request_id: requestId, seq } = members;
  const facts = readFacts(members);
  if (!isId(requestId) || !Number.isInteger(seq) || !facts) return undefined;
  const payer = readPayer(members);
  const lease = readLease(members);
  const waste: readonly WastedAttempt[] = wasteFromRows(members.waste);
  return {
    requestId,
    seq: seq as number,
    ...facts,
    ...omitUndefined({ payer, waste: waste.length > 0 ? waste : undefined, lease }),
  };
}

/** What a line says of its call: that it is cancelled, or what it used. */
function readFacts({
  phase,
  usage,
  estimated,
}: Record<string, unknown>): Pick<JournalRow, 'phase' | 'usage' | 'estimated'> | undefined {
  if (phase === 'cancel') return { phase, usage: NO_USAGE, estimated: false };
  if (typeof usage !== 'object' || usage === null || typeof estimated !== 'boolean') return undefined;
  return { phase: 'usage', usage: usageFromRow(usage), estimated };
}

function readPayer(line: Record<string, unknown>): JournalPayer | undefined {
  const { wallet_id: walletId, token_id: tokenId, price_version_id: priceVersionId } = line;
  return isId(walletId) && isId(tokenId) && isId(priceVersionId)
    ? { walletId, tokenId, priceVersionId }
    : undefined;
}

function readLease({ lease_id: id, lease_worst: worst }: Record<string, unknown>): CallLease | undefined {
  return isId(id) && typeof worst === 'string' && /^\d{1,18}$/.test(worst)
    ? { id, worst: BigInt(worst) }
    : undefined;
}

const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
