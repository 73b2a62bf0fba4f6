export type ToolName = 'helm' | 'kube-score' | 'hadolint' | 'promtool' | 'etcd' | 'kube-apiserver';
export const TOOLS: Readonly<
  Record<ToolName, { readonly package?: string; readonly wheel?: string; readonly version: string }>
>;
export function findTool(name: ToolName): string | undefined;
export function provideTool(name: ToolName): string;
export function findBuildObstacle(): string | undefined;
export function fetchModule(module: string): string;
