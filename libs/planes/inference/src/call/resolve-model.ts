import type { Catalog, Model, ModelKind } from '@mg/contract';

/** An alias of a model, ready to be compared. */
interface Alias {
  /** What stands before, between and behind its `*`. */
  readonly parts: readonly string[];
  /** Characters that a name must have as they are: of several aliases that fit, the most precise counts. */
  readonly literal: number;
  readonly model: Model;
}

/** Aliases of a catalog, which never changes, the most precise first. */
const ALIASES = new WeakMap<Catalog, readonly Alias[]>();

/**
 * The model that a name stands for: the one of that slug, else one of the kind with an alias that fits. Who may use it is
 * decided by its slug.
 *
 * @param kind any, when left out.
 */
export function resolveModel(catalog: Catalog, name: string, kind?: ModelKind): Model | undefined {
  const own = catalog.models.get(name);
  if (own) return own;
  const isMeant = ({ parts, model }: Alias) =>
    (kind === undefined || model.kind === kind) && fits(parts, name);
  return listAliases(catalog).find(isMeant)?.model;
}

function listAliases(catalog: Catalog): readonly Alias[] {
  const known = ALIASES.get(catalog);
  if (known) return known;
  const aliases = [...catalog.models.values()]
    .flatMap((model) => (model.aliases ?? []).map((alias) => toAlias(alias, model)))
    .toSorted((a, b) => b.literal - a.literal);
  ALIASES.set(catalog, aliases);
  return aliases;
}

function toAlias(alias: string, model: Model): Alias {
  const parts = alias.split('*');
  // A name without `*` comes before every pattern.
  const literal = parts.length === 1 ? Infinity : alias.length - parts.length + 1;
  return { parts, literal, model };
}

/** Whether a name has the parts in their order, the first at its start and the last at its end: in linear time. */
function fits([first = '', ...others]: readonly string[], name: string): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
