/** What becomes of one concept in each protocol. */
export interface Concept {
  readonly title: string;
  /** A sentence above the list. */
  readonly says?: string;
  /** Those without a word are left out. */
  readonly outcomes: readonly { readonly protocol: string; readonly outcome: string }[];
}

/** A section of Markdown with a list for each concept: a table of seven columns would be wider than a screen. */
export function writeSection(title: string, concepts: readonly Concept[]): string {
  return `\n### ${title}\n${concepts.map(writeConcept).join('')}`;
}

/** Protocols in which the same becomes of the concept share a line. */
function writeConcept({ title, says, outcomes }: Concept): string {
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => outcome);
  byOutcome.delete('');
  const lines = [...byOutcome].map(([outcome, alike]) => {
    const protocols =
      alike.length === outcomes.length ? 'all' : alike.map(({ protocol }) => protocol).join(', ');
    return `- ${protocols}: ${outcome}\n`;
  });
  return `\n#### ${title}\n\n${says === undefined ? '' : `${says}\n\n`}${lines.join('')}`;
}
