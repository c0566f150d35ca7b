import { useNavigate } from 'react-router'
import type { OperationMeta } from '@/api/operation'
import type { RowAction } from '@/kit/actions'
import { paths } from '@/paths'
import { listAchievements } from '@/scores/api'
import { listDisciplines, listExternalExams } from './api'
import { groundOf } from './graduationWords'

const lists: Readonly<Record<'scores' | 'discipline' | 'external', { path: string; tab: string; do: OperationMeta }>> =
  {
    scores: { path: paths.achievements, tab: 'scores', do: listAchievements },
    discipline: { path: paths.graduates, tab: 'discipline', do: listDisciplines },
    external: { path: paths.graduates, tab: 'external', do: listExternalExams },
  }

/** The way from a condition to what it looks at of a student; none where it looks at nothing that is listed. */
export const useGround = (studentId: number) => {
  const navigate = useNavigate()
  return (ruleCode: string): RowAction[] => {
    const ground = groundOf(ruleCode)
    if (!ground) return []
    const { path, tab, do: operation } = lists[ground.at]
    return [
      { label: ground.label, do: operation, onClick: () => navigate(`${path}?tab=${tab}&studentId=${studentId}`) },
    ]
  }
}
