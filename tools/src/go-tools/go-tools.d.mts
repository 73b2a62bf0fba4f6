export type ToolName = 'helm' | 'kube-score' | 'promtool' | 'etcd' | 'kube-apiserver';
export const TOOLS: Readonly<Record<ToolName, { readonly package: string; readonly version: string }>>;
export function findTool(name: ToolName): string | undefined;
export function findBuildObstacle(): string | undefined;
export function buildTool(name: ToolName): string;
export function fetchModule(module: string): string;
