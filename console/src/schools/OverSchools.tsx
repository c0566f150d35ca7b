import { type ComponentType, useMemo, useState } from 'react'
import { Navigate } from 'react-router'
import { useOptions } from '@/api/options'
import type { SchoolContext } from '@/api/schoolContext'
import { store, stored } from '@/api/session'
import { OfSchool } from '@/kit/OfSchool'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { type RowOfList, type SchoolChoice, SchoolChoiceContext } from '@/kit/schoolChoice'
import { useAddress } from '@/kit/useAddress'
import { listAvailableSchools } from './api'
import { schoolOptions } from './SchoolsSelect'

/** Only the tab of the page outlasts another school: filters, records and paging were the former one's. */
export const addressIn = (before: URLSearchParams, schoolId: number | undefined, openId?: number) => {
  const after = new URLSearchParams()
  const tab = before.get('tab')
  if (schoolId !== undefined) after.set('schoolId', String(schoolId))
  if (tab) after.set('tab', tab)
  if (openId !== undefined) after.set('open', String(openId))
  return after
}

const lastSchool = () => stored<Choice>('lastSchool')

/**
 * A school's screen in the operators' area. The school stands in the address, so that a link is a view; a page that is
 * opened without one begins with the last that was chosen in this browser tab.
 */
export const overSchools = (Screen: ComponentType): ComponentType => {
  const OverSchools = () => {
    const [search, setSearch] = useAddress()
    const schoolId = Number(search.get('schoolId')) || undefined
    const [offered, setOffered] = useState(() => (schoolId === undefined ? lastSchool() : undefined))
    const [row, setRow] = useState<RowOfList>()
    const schools = useOptions(listAvailableSchools, schoolOptions(''))
    const school = schools.data?.find(({ code }) => code === schoolId)
    const readOnly = school?.status === 'suspended' || school?.status === 'archived'
    const context = useMemo<SchoolContext>(() => ({ area: 'platform', schoolId, readOnly }), [schoolId, readOnly])

    const choose: SchoolChoice['choose'] = (chosen, opened) => {
      store('lastSchool', chosen && { code: chosen.code, desc: chosen.desc })
      setRow(opened)
      setSearch((before) => addressIn(before, chosen?.code, opened?.row.id))
    }
    // It was taken, or another came first: clearing the school later must not bring it back.
    if (offered && schoolId !== undefined) setOffered(undefined)
    if (offered && schoolId === undefined) {
      const taken = new URLSearchParams(search)
      taken.set('schoolId', String(offered.code))
      return <Navigate replace to={{ search: `?${taken}` }} />
    }
    const last = lastSchool()
    const known = school ?? (last?.code === schoolId ? last : undefined)
    const picker = (
      <div className="filter">
        <span className="filter-label">院校</span>
        <OptionSelect
          label="院校"
          placeholder="全部院校"
          options={listAvailableSchools}
          query={schoolOptions}
          value={schoolId}
          known={known}
          onChange={(_, chosen) => choose(chosen)}
        />
      </div>
    )
    return (
      <SchoolChoiceContext.Provider
        value={{ picker, name: known?.desc, choose, row, none: schools.data?.length === 0 }}
      >
        <OfSchool context={context}>
          <Screen />
        </OfSchool>
      </SchoolChoiceContext.Provider>
    )
  }
  return OverSchools
}
