import {
  type ConfigurationFile,
  configurationFileSchema,
  explainIssue,
  findUnstorableText,
  UNSTORABLE_RULE,
} from '@mg/contract';
import { LineCounter, parseDocument } from 'yaml';
import { checkAccess, checkBatches, checkGivenSettings, requireProvider } from '../channels/check-channel.js';
import { FieldProblem } from '../channels/field-problem.js';
import { describeIssue } from '../http/describe-issue.js';
import { readFileKeys } from './read-file-keys.js';
import { markVariables, replaceMarks, VariableError } from './replace-variables.js';

/** A wrong configuration file. The message is one sentence that names the key, and holds no value of the file. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads the text of a configuration file: YAML, with `${NAME}` from the environment, checked by the schema of the
 * contract and by the rules of each channel's provider.
 *
 * @throws ConfigurationError
 */
export function readConfiguration(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): ConfigurationFile {
  const tree = replaceVariables(parseYaml(text), variables);
  const unstorable = findUnstorableText(tree);
  if (unstorable !== undefined) throw new ConfigurationError(`${unstorable}: ${UNSTORABLE_RULE}.`);
  const result = configurationFileSchema.safeParse(tree, { error: describeIssue });
  if (!result.success) throw new ConfigurationError(explainIssue(result.error).message);
  const file = result.data;
  file.channels.forEach(checkFileChannel);
  refuseRepeats('channels', 'name', file.channels);
  refuseRepeats('models', 'slug', file.models);
  refuseRepeats('wallets', 'name', file.wallets);
  refuseRepeatedTokens(file.tokens);
  return file;
}

function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(markVariables(text), { prettyErrors: false, lineCounter: lines });
  const problem = document.errors[0];
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new ConfigurationError(`The file is not valid YAML: line ${line}, column ${col}: ${problem.code}.`);
  }
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch {
    throw new ConfigurationError('The file is not valid YAML: it has too many or unknown aliases.');
  }
}

function replaceVariables(value: unknown, variables: Readonly<Record<string, string | undefined>>): unknown {
  try {
    return replaceMarks(value, variables);
  } catch (error) {
    if (error instanceof VariableError) throw new ConfigurationError(error.message);
    throw error;
  }
}

function checkFileChannel(channel: ConfigurationFile['channels'][number], index: number): void {
  if (channel.api_key !== undefined && channel.api_keys !== undefined) {
    throw new ConfigurationError(`channels[${index}].api_keys: give either api_key or api_keys.`);
  }
  try {
    const provider = requireProvider(channel.type);
    const keys = readFileKeys(channel);
    checkAccess(provider, { baseUrl: channel.base_url, apiKeys: keys?.map(({ key }) => key) });
    checkGivenSettings(provider, channel.settings ?? {});
    checkBatches(provider, channel.batches);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw new ConfigurationError(`channels[${index}].${error.message}`);
  }
}

function refuseRepeats<Key extends string>(
  section: string,
  key: Key,
  rows: readonly Readonly<Record<Key, string>>[],
): void {
  const repeated = rows.findIndex((row, index) => rows.findIndex((other) => other[key] === row[key]) < index);
  if (repeated >= 0) {
    throw new ConfigurationError(
      `${section}[${repeated}].${key}: "${rows[repeated]?.[key]}" is in the list twice.`,
    );
  }
}

function refuseRepeatedTokens(tokens: ConfigurationFile['tokens']): void {
  const seenNames = new Set<string>();
  const seenKeys = new Set<string>();
  tokens.forEach((token, index) => {
    const name = JSON.stringify([token.wallet, token.name]);
    if (seenNames.has(name)) {
      throw new ConfigurationError(`tokens[${index}].name: "${token.name}" is in the list twice.`);
    }
    if (token.key !== undefined && seenKeys.has(token.key)) {
      throw new ConfigurationError(`tokens[${index}].key: another token has the same key.`);
    }
    seenNames.add(name);
    if (token.key !== undefined) seenKeys.add(token.key);
  });
}
