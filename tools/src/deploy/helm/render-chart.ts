import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../architecture-tests/workspace.js';
import { findTool } from '../../check-tools/check-tools.mjs';
import type { Manifest } from '../render-kustomization.js';

export const HELM_CHART = 'deploy/helm/model-gateway';
/** The oldest Kubernetes that the chart is for. */
const KUBERNETES = ['--kube-version', '1.30.0'];

/**
 * What Helm makes of the chart at the first install.
 *
 * @param parameters such as `--values` and a file, from the top of the repository.
 * @throws Error with what Helm said.
 */
export function renderChart(...parameters: readonly string[]): Manifest[] {
  const text = runHelm('template', 'release', HELM_CHART, '--namespace', 'model-gateway', ...parameters);
  return parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter((value) => value !== null)
    .map((value) => value as Manifest);
}

/** @throws Error with everything that Helm's linter said, when it is not content. */
export function lintChart(): void {
  runHelm('lint', '--strict', HELM_CHART);
}

function runHelm(...parameters: readonly string[]): string {
  const helm = findTool('helm');
  if (helm === undefined) throw new Error('There is no helm.');
  const { status, stdout, stderr } = spawnSync(helm, [...parameters, ...KUBERNETES], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`helm ${parameters[0]}:\n${stdout}${stderr}`);
  return stdout;
}
