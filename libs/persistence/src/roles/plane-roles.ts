/** The role of each plane in Postgres. Roles belong to the whole cluster, therefore the prefix. */
export const PLANE_ROLES = {
  gateway: 'mg_gateway',
  billing: 'mg_billing',
  'video-worker': 'mg_video_worker',
  console: 'mg_console',
} as const;

export type PlaneName = keyof typeof PLANE_ROLES;
export type PlaneRole = (typeof PLANE_ROLES)[PlaneName];

export const PLANE_ROLE_NAMES: readonly PlaneRole[] = Object.values(PLANE_ROLES);

export function isPlaneRole(user: string): user is PlaneRole {
  return PLANE_ROLE_NAMES.includes(user as PlaneRole);
}
