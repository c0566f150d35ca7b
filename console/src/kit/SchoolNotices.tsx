import { Alert } from '@arco-design/web-react'
import type { OperationMeta } from '@/api/operation'
import { NO_SCHOOLS, useSchoolChoice } from './schoolChoice'
import type { SchoolNotice } from './useQueryTable'

/** The schools that a list leaves out, each with the reason in the words of the document. */
export const noticeWords = ({ notices: fields }: OperationMeta, notices: readonly SchoolNotice[]) => {
  const wordOf = (reason: string) => fields?.reason?.options?.find(([value]) => value === reason)?.[1] ?? reason
  return `未包含：${notices.map(({ schoolName, reason }) => `${schoolName}（${wordOf(reason)}）`).join('、')}`
}

interface SchoolNoticesProps {
  operation: OperationMeta
  notices: readonly SchoolNotice[]
}

/** The yellow line above a list over schools: what is not in it. */
export const SchoolNotices = ({ operation, notices }: SchoolNoticesProps) => {
  const none = useSchoolChoice()?.none ?? false
  if (!none && notices.length === 0) return null
  return <Alert type="warning" content={none ? NO_SCHOOLS : noticeWords(operation, notices)} />
}
