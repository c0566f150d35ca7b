import { useSchoolContext } from '@/api/schoolContext'
import { placeOf, type SharedPath } from '@/paths'

/** Where another screen over the same data is: `places('students', { classId })` stays in the area and with the school. */
export const usePlaces = () => {
  const context = useSchoolContext()
  const operator = context.area === 'platform' ? { schoolId: context.schoolId } : undefined
  return (name: SharedPath, query?: Parameters<typeof placeOf>[1]) => placeOf(name, query, operator)
}
