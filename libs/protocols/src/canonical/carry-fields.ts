import type { ProtocolName } from './blocks.js';
import type { CanonicalRequest } from './request.js';

/** Fields of the request itself that two protocols both have. */
export interface SharedFields {
  readonly from: ProtocolName;
  readonly to: ProtocolName;
  /** Names in `to`, by the names in `from`. */
  readonly names: Readonly<Record<string, string>>;
}

/** Moves what the client set in one protocol to where another one has the same field. */
export function carryFields(request: CanonicalRequest, { from, to, names }: SharedFields): CanonicalRequest {
  const foreign = request.ext[from];
  if (!foreign) return request;
  const rest = { ...foreign };
  const own = { ...request.ext[to] };
  for (const [name, ownName] of Object.entries(names)) {
    if (rest[name] === undefined) continue;
    own[ownName] = rest[name];
    delete rest[name];
  }
  return { ...request, ext: { ...request.ext, [from]: rest, [to]: own } };
}
