import type { Operation } from '@/api/operation'
import { SelectFilter } from '@/kit/filters'
import { type RolesOf, useRoles } from './roles'

interface RoleFilterProps<Body> {
  of: Operation<undefined, Body, unknown>
  field: keyof Body & string
  roles: RolesOf
}

/** The accounts that have a role. */
export const RoleFilter = <Body,>({ of, field, roles: wanted }: RoleFilterProps<Body>) => {
  const { roles } = useRoles(wanted)
  return (
    <SelectFilter
      of={of}
      field={field}
      options={roles.map(({ id, roleName }) => ({ value: String(id), label: roleName }))}
    />
  )
}
