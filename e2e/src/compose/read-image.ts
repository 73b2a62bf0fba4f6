import { readFileSync } from 'node:fs';
import { DockerfileParser, Env } from 'dockerfile-ast';

/** What the image of a Dockerfile's target brings along. */
export interface Image {
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Reads what the stages of a target set, from its base upwards.
 *
 * @throws Error when there is no such target.
 */
export function readImage(path: string, target: string): Image {
  const file = DockerfileParser.parse(readFileSync(path, 'utf8'));
  const stages = new Map(
    file.getFROMs().map((from) => {
      const start = from.getRange().start.line;
      return [from.getBuildStage() ?? '', { base: from.getImage() ?? '', start }] as const;
    }),
  );
  const starts = [...stages.values()].map(({ start }) => start).concat(Infinity);
  const environment: Record<string, string> = {};
  for (const name of listLineage(stages, target)) {
    const start = stages.get(name)?.start ?? 0;
    const end = Math.min(...starts.filter((line) => line > start));
    for (const instruction of file.getInstructions()) {
      const line = instruction.getRange().start.line;
      if (!(instruction instanceof Env) || line < start || line >= end) continue;
      for (const property of instruction.getProperties()) {
        environment[property.getName()] = property.getValue() ?? '';
      }
    }
  }
  return { environment };
}

/** The target and what it stands on, the lowest first. */
function listLineage(stages: ReadonlyMap<string, { readonly base: string }>, target: string): string[] {
  const stage = stages.get(target);
  if (!stage) throw new Error(`The Dockerfile has no target ${target}.`);
  return stages.has(stage.base) ? [...listLineage(stages, stage.base), target] : [target];
}
