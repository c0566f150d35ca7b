import { SchoolProvider, useSchoolContext } from '@/api/schoolContext'
import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { useSchoolChoice } from '@/kit/schoolChoice'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { overSchools } from '@/schools/OverSchools'
import { StageFields } from './StageFields'

const tabs = [
  ['template', '平台模板'],
  ['schools', '院校字段'],
] as const

/** A school's fields are its own people's, and of those who have entered it; from outside one looks. */
const LookedAt = () => {
  const context = useSchoolContext()
  const choice = useSchoolChoice()
  return (
    <SchoolFirst>
      <div className="filters">
        {choice?.picker}
        <div className="filter filter-label">仅查看；需要修改时请进入院校</div>
      </div>
      <SchoolProvider value={context.area === 'platform' ? { ...context, readOnly: true } : context}>
        <StageFields />
      </SchoolProvider>
    </SchoolFirst>
  )
}

const FieldsOfSchools = overSchools(LookedAt)

/** 字段属性 of the operators: the template from which schools have their fields, and what each has made of it. */
export const TemplatePage = () => {
  const [wanted, setTab] = usePageTab()
  const tab = wanted === 'schools' ? 'schools' : 'template'
  return (
    <Page title="字段属性" help="新开通的院校从平台模板取得字段；之后新增的字段下发给院校，院校已有的不变。">
      <div className="list-tabs">
        <TabList
          label="字段属性"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === 'schools' ? next : undefined)}
        />
      </div>
      {tab === 'schools' ? <FieldsOfSchools /> : <StageFields />}
    </Page>
  )
}
