import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DockerfileParser,
  From,
  type Instruction,
  ModifiableInstruction,
  PropertyInstruction,
} from 'dockerfile-ast';
import { ROOT } from '../architecture-tests/workspace.js';

export const DOCKERFILE = 'deploy/docker/Dockerfile';

/** One instruction below a FROM. */
export interface Step {
  /** In capitals. */
  readonly keyword: string;
  /** What follows the keyword and its flags, with lines joined. */
  readonly text: string;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  /** Of ENV and LABEL. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

export interface Stage {
  readonly name: string;
  /** Another stage, or an image. */
  readonly from: string;
  readonly steps: readonly Step[];
}

/** What an image is run with, after all that its stage takes over from others. */
export interface Target {
  readonly environment: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly workdir: string;
  readonly exposed: readonly string[];
  readonly command: readonly string[];
  readonly healthCommand: readonly string[];
}

/** The stages of the Dockerfile in their order. @throws Error when something stands before the first of them. */
export function readStages(): Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  const file = DockerfileParser.parse(readFileSync(join(ROOT, DOCKERFILE), 'utf8'));
  for (const instruction of file.getInstructions()) {
    if (instruction instanceof From) {
      stages.push({
        name: instruction.getBuildStage() ?? '',
        from: instruction.getImage() ?? '',
        steps: [],
      });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${DOCKERFILE} begins with ${instruction.getKeyword()}, not with FROM.`);
      stage.steps.push(readStep(instruction));
    }
  }
  return stages;
}

function readStep(instruction: Instruction): Step {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  const properties = instruction instanceof PropertyInstruction ? instruction.getProperties() : [];
  return {
    keyword: instruction.getKeyword(),
    text: instruction.getArgumentsContent() ?? '',
    words: instruction.getArguments().map((word) => word.getValue()),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    pairs: properties.map((property) => [property.getName(), property.getValue() ?? '']),
  };
}

/** @throws Error when there is no such stage. */
export function findStage(stages: readonly Stage[], name: string): Stage {
  const stage = stages.find((candidate) => candidate.name === name);
  if (!stage) throw new Error(`${DOCKERFILE} has no target ${name}.`);
  return stage;
}

/** Every step that a target is made of, those of the stages below it first. */
export function listSteps(stages: readonly Stage[], name: string): Step[] {
  const { from, steps } = findStage(stages, name);
  return [...(stages.some((stage) => stage.name === from) ? listSteps(stages, from) : []), ...steps];
}

export function describeTarget(stages: readonly Stage[], name: string): Target {
  const steps = listSteps(stages, name);
  const pairsOf = (keyword: string) =>
    Object.fromEntries(steps.filter((step) => step.keyword === keyword).flatMap(({ pairs }) => pairs));
  const last = (keyword: string) => steps.findLast((step) => step.keyword === keyword);
  return {
    environment: pairsOf('ENV'),
    labels: pairsOf('LABEL'),
    user: last('USER')?.text,
    workdir: last('WORKDIR')?.text ?? '/',
    exposed: steps.filter(({ keyword }) => keyword === 'EXPOSE').flatMap(({ words }) => words),
    command: readExecForm(last('CMD')?.text),
    healthCommand: readExecForm(last('HEALTHCHECK')?.text.replace(/^CMD\s+/, '')),
  };
}

/** @throws Error for the shell form, under which signals do not reach the process. */
function readExecForm(text: string | undefined): string[] {
  if (text === undefined) return [];
  if (!text.startsWith('[')) throw new Error(`Write ["..."] instead of ${text}`);
  return JSON.parse(text) as string[];
}
