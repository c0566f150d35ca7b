import { Empty } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { Drawing } from './Drawings'
import { Page } from './Page'
import { NO_SCHOOLS, useSchoolChoice } from './schoolChoice'

interface SchoolFirstProps {
  /** Of the page that the children are; none where they stand in one. */
  title?: string
  children: ReactNode
}

/** What is one school's alone, such as a tree: an operator is asked for the school before it is made. */
export const SchoolFirst = ({ title, children }: SchoolFirstProps) => {
  const overAll = isOverAll(useSchoolContext())
  const choice = useSchoolChoice()
  if (!overAll) return children
  const asked = (
    <div className="school-first">
      <Empty icon={<Drawing of="notSet" />} description={choice?.none ? NO_SCHOOLS : '请选择院校'} />
      {choice?.picker}
    </div>
  )
  return title ? <Page title={title}>{asked}</Page> : asked
}
