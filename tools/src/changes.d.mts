export function listChanges(base: string): string[];
export function listExisting(files: readonly string[]): string[];
export function listTested(changes: readonly string[]): string[] | undefined;
