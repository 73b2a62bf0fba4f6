import { nameSchema, REFUSALS } from '@mg/contract';
import { MEMBER_ORIGINS, PROJECT_ROLES } from '@mg/persistence/console';
import { z } from 'zod';

/** What a query or a body names a project by. */
export const projectIdSchema = z.uuid(REFUSALS.no_project_id);

const projectRoleSchema = z
  .enum(PROJECT_ROLES)
  .describe(
    'owner: manages members and all keys, sees the wallet; member: has keys, sees their own keys and calls; viewer: sees all keys and calls, changes nothing.',
  );

export const projectCreateSchema = z.strictObject({
  name: nameSchema,
  wallet_id: z
    .uuid(REFUSALS.no_wallet_id)
    .optional()
    .describe(
      "A wallet of the operator's or of an administrator, which all members pay from; by default a new one of the project's name.",
    ),
});

export type ProjectCreate = z.output<typeof projectCreateSchema>;

export const projectPatchSchema = z.strictObject({ name: nameSchema }).partial();

export type ProjectPatch = z.output<typeof projectPatchSchema>;

export const projectSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    wallet_id: z.uuid().describe("The wallet that all the project's keys pay from."),
    role: projectRoleSchema
      .nullable()
      .describe("The caller's role; null for administrators who are not in the project."),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Project' });

export const memberSetSchema = z.strictObject({ role: projectRoleSchema });

export type MemberSet = z.output<typeof memberSetSchema>;

export const memberSchema = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: projectRoleSchema,
    origin: z
      .enum(MEMBER_ORIGINS)
      .describe('What gave it: somebody in the Console, or a claim of single sign-on, which takes it away.'),
    created_at: z.iso.datetime().describe('Since when they are in the project.'),
  })
  .meta({ id: 'ProjectMember' });

/** Groups that let somebody into one project. */
const MOST_GROUPS = 50;

export const projectGroupsSchema = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          value: z
            .string()
            .trim()
            .min(1, REFUSALS.empty)
            .max(256)
            .describe('Exactly as the claim of OIDC_PROJECTS_CLAIM has it.'),
          role: projectRoleSchema,
        }),
      )
      .max(MOST_GROUPS)
      .refine((groups) => new Set(groups.map(({ value }) => value)).size === groups.length, {
        error: REFUSALS.value_repeated,
      }),
  })
  .meta({ id: 'ProjectGroups' });

export type ProjectGroups = z.output<typeof projectGroupsSchema>;

export const membersSchema = z.object({ data: z.array(memberSchema) });
