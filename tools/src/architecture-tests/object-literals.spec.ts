import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { listFiles, readProjects, ROOT } from './workspace.js';

/** What the syntax tree is made of. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

/** Files without it have nothing to look for, and are not parsed. */
const MAY_BE_CONDITIONAL = /\.\.\.\((?!\[)[^;]*?(?:&&|\s\?\s)/;

const files = readProjects().flatMap(({ folder }) => listFiles(folder, /\.(?:tsx?|mjs)$/));

describe('object literals', () => {
  // Members that are not always there: `omitUndefined({ name: hasName ? name : undefined })` of the contract.
  it('spread nothing on a condition: neither `...(a && { b })` nor `...(a ? { b } : {})`', () => {
    const broken = files.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      if (!MAY_BE_CONDITIONAL.test(text)) return [];
      return findConditionalSpreads(path, text).map(
        ({ start }) => `${path}:${text.slice(0, start).split('\n').length}`,
      );
    });
    expect(broken).toEqual([]);
  });

  it.each([
    ['const a = { ...(b && { c }) };', 1],
    ['const a = { ...(b === undefined ? {} : { b }), ...(c ? D : {}) };', 2],
    ['const a = { ...(b && c && { d }) } as const;', 1],
    ['const a = <Card {...(b ? { c } : {})} />;', 1],
    ['const a = [...(b ? [c] : []), ...(d ?? [])];', 0],
    ['const a = { ...(b ?? c), ...omitUndefined({ d: e ? f : undefined }) };', 0],
  ])('are found to: %s', (text, count) => {
    expect(findConditionalSpreads('a.tsx', text)).toHaveLength(count);
  });
});

function findConditionalSpreads(path: string, text: string): Node[] {
  const found: Node[] = [];
  const visit = (node: Node) => {
    if (node.type === 'JSXSpreadAttribute' && isConditional(node['argument'])) found.push(node);
    for (const child of Object.values(node).flat().filter(isNode)) {
      const isOfLiteral = node.type === 'ObjectExpression' && child.type === 'SpreadElement';
      if (isOfLiteral && isConditional(child['argument'])) found.push(child);
      visit(child);
    }
  };
  const isScript = path.endsWith('.mjs');
  visit(parseAst(text, { lang: isScript ? 'js' : path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node);
  return found;
}

function isConditional(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'ParenthesizedExpression') return isConditional(node['expression']);
  return (
    node.type === 'ConditionalExpression' || (node.type === 'LogicalExpression' && node['operator'] === '&&')
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
