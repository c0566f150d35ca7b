import { Empty, Skeleton } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { listOptions } from '@/api/infra'
import { useOptions } from '@/api/options'
import { basicOptions } from '@/basic_data/BasicSelect'
import { Drawing } from '@/kit/Drawings'
import { BegunFilters } from '@/kit/FilterBar'
import { Failed } from '@/kit/Loaded'
import { useAddress } from '@/kit/useAddress'
import { newestGrade } from './informationRules'

/** Figures are of one grade: a page that names none begins with the newest. */
export const FromNewestGrade = ({ children }: { children: ReactNode }) => {
  const [search] = useAddress()
  const named = search.get('gradeId')
  const [begun, setBegun] = useState<number>()
  const grades = useOptions(listOptions, basicOptions('grade')(''), !named)
  if (named) return <BegunFilters value={{ gradeId: begun }}>{children}</BegunFilters>
  if (grades.isError) return <Failed error={grades.error} retry={() => grades.refetch()} />
  if (!grades.data) return <Skeleton text={{ rows: 10 }} animation />
  const newest = newestGrade(grades.data, new Date().getFullYear())
  if (!newest)
    return <Empty icon={<Drawing of="notSet" />} description="还没有年级。请先在“年级管理”中新增年级，再查看统计。" />
  if (begun !== newest.code) setBegun(newest.code)
  const address = new URLSearchParams(search)
  address.set('gradeId', String(newest.code))
  return <Navigate replace to={{ search: `?${address}` }} />
}
