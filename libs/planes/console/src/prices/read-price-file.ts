import {
  explainIssue,
  type GatewayError,
  PRICE_KEYS,
  type PriceSheet,
  priceSheetSchema,
  type RefusalReason,
  refuse,
  slugSchema,
} from '@mg/contract';
import { parse } from 'yaml';
import { z } from 'zod';
import { describeIssue } from '../http/describe-issue.js';

export const PRICE_FILE_FORMATS = ['json', 'yaml', 'csv'] as const;
export type PriceFileFormat = (typeof PRICE_FILE_FORMATS)[number];

export interface FilePrice {
  readonly slug: string;
  readonly price: PriceSheet;
}

const MOST_PRICES = 5_000;
const CSV_COLUMNS: ReadonlySet<string> = new Set(['slug', ...PRICE_KEYS, 'batch_share', 'cache_share']);

const mapSchema = z.record(slugSchema, priceSheetSchema);
/** As models stand in the configuration file; what else it says of them is not a price. */
const modelsSchema = z.object({
  models: z.array(z.object({ slug: slugSchema, price: priceSheetSchema })),
});

/**
 * Reads a file of prices in USD: a map from slug to price, models as in the configuration file, or CSV with the columns
 * `slug`, any of the price's meters, `batch_share` and `cache_share`.
 *
 * @throws GatewayError `invalid_request` that says where the file is wrong.
 */
export function readPriceFile(content: string, format: PriceFileFormat): FilePrice[] {
  const prices = format === 'csv' ? readCsv(content) : readTree(content);
  if (prices.length === 0) throw refuseFile('file_without_price');
  if (prices.length > MOST_PRICES) throw refuseFile('file_too_long', MOST_PRICES);
  const slugs = new Set<string>();
  for (const { slug } of prices) {
    if (slugs.has(slug)) throw refuseFile('file_names_twice', slug);
    slugs.add(slug);
  }
  return prices;
}

/** JSON is YAML. In the failsafe schema a number stays the text that it was, so that no amount is rounded. */
function readTree(content: string): FilePrice[] {
  let tree: unknown;
  try {
    tree = parse(content, { schema: 'failsafe', maxAliasCount: 100 });
  } catch (error) {
    throw refuseFile('file_unreadable', (error instanceof Error && error.message.split('\n', 1)[0]) || '');
  }
  const hasModels = typeof tree === 'object' && tree !== null && 'models' in tree;
  if (hasModels) return check(modelsSchema, tree).models;
  return Object.entries(check(mapSchema, tree)).map(([slug, price]) => ({ slug, price }));
}

/** Slugs and amounts hold neither commas nor line ends, so that quotes say nothing here. */
function readCsv(content: string): FilePrice[] {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = splitLine(lines[0] ?? '');
  const unknown = columns.filter((name) => !CSV_COLUMNS.has(name));
  if (!columns.includes('slug')) throw refuseFile('file_without_slug');
  if (unknown[0] !== undefined) throw refuseFile('file_unknown_column', unknown[0]);
  return lines.flatMap((line, at) => {
    if (at === 0 || line.trim() === '') return [];
    const cells = splitLine(line);
    if (cells.length !== columns.length) {
      throw refuseFile('file_uneven', cells.length, at + 1, columns.length);
    }
    const { slug, ...price } = Object.fromEntries(
      columns.map((name, place) => [name, cells[place] ?? '']).filter(([, cell]) => cell !== ''),
    );
    return [
      check(
        z.strictObject({ slug: slugSchema, price: priceSheetSchema }),
        { slug, price },
        `line ${at + 1}: `,
      ),
    ];
  });
}

function splitLine(line: string): string[] {
  return line.split(',').map((cell) => cell.trim().replace(/^"([^"]*)"$/, '$1'));
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, where = ''): z.output<Schema> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  throw refuseFile('file_wrong', `${where}${explainIssue(result.error).message.replace(/\.$/, '')}`);
}

function refuseFile(reason: RefusalReason, ...values: (string | number)[]): GatewayError {
  return refuse('invalid_request', reason, { param: 'content', values });
}
