import { request } from '@/api/client'
import { allows, useIdentity } from '@/api/identity'
import { isPhone } from '@/kit/isPhone'
import { labelOf } from '@/kit/labels'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listLearners } from './api'

const MOST = 8

/** A learner whom the palette found. */
interface FoundLearner {
  id: number
  name: string
  about: string
  /** The list of learners with this one's file open. */
  to: string
}

/** The learner of a phone, as the list's own search finds them; nobody without its right. */
export const findLearners = async (wanted: string, signal: AbortSignal): Promise<FoundLearner[]> => {
  if (!isPhone(wanted) || !allows(useIdentity.getState().permissions, listLearners)) return []
  const body = { pageCurrent: FIRST_PAGE, pageSize: MOST, phone: wanted }
  const { list } = await request(listLearners, { body }, { signal })
  return list.map(({ id, nickname, phone, memberState }) => ({
    id,
    name: nickname ?? phone,
    about: [phone, labelOf(listLearners, 'memberState', memberState)].join(' · '),
    to: `${paths.learners}?${new URLSearchParams({ phone: wanted, open: String(id) })}`,
  }))
}
