import { Button } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTenths } from '@/kit/format'
import { RowActions } from '@/kit/RowActions'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { deletePlanGroup, editPlanGroup, savePlanGroup, viewTeachingPlanOfMajor } from './api'
import type { PlanContent, PlanGroup } from './planRules'

const Field = fieldsOf(savePlanGroup)

interface GroupFormProps extends DrawerProps<PlanGroup> {
  content: PlanContent
}

/** As it is edited: under the version of its plan. */
const underPlan = (group: PlanGroup, { plan }: PlanContent): PlanGroup => ({ ...group, version: plan.version })

const GroupForm = ({ content, record: group, ...drawer }: GroupFormProps) => {
  const { plan, groups } = content
  return (
    <FormDrawer<PlanGroup, DataOf<typeof savePlanGroup>>
      {...drawer}
      record={group && underPlan(group, content)}
      title={group ? `编辑选修组 ${group.name}` : '新增选修组'}
      initial={{ sortNo: groups.length }}
      action={(held) =>
        held
          ? formAction(editPlanGroup, '已保存选修组', held)
          : formAction(savePlanGroup, '已新增选修组', { planId: plan.id, version: plan.version })
      }
      reload={async (held, call) => {
        const fresh = await call(viewTeachingPlanOfMajor, { query: { planId: held.planId } })
        return underPlan(fresh.groups.find(({ id }) => id === held.id) ?? held, fresh)
      }}
    >
      <Field name="name" />
      <Field name="minCredits" help="学生在本组至少修读的学分，0.5的倍数" />
      <Field name="minCourses" help="不限门数时不填" />
      <Field name="sortNo" />
    </FormDrawer>
  )
}

/** 最低4.0学分、2门；可选4门8.0学分. */
const wordsOf = ({ minCredits, minCourses, courseCount, credits }: PlanGroup) => {
  const least = `最低${formatTenths(minCredits)}学分${minCourses == null ? '' : `、${minCourses}门`}`
  return `${least}；可选${courseCount}门${formatTenths(credits)}学分`
}

interface GroupPanelProps {
  content: PlanContent
  /** A draft that the person may change. */
  changes: boolean
}

/** 选修组: of the courses of each so many credits are to be chosen. */
export const GroupPanel = ({ content, changes }: GroupPanelProps) => {
  const form = useDrawer<PlanGroup>()
  const { groups, plan } = content
  if (groups.length === 0 && !changes) return null
  return (
    <section aria-label="选修组">
      <h3>选修组</h3>
      {groups.length === 0 && <p className="nothing">还没有选修组；限选和任选课程需要选修组。</p>}
      <ul className="plan-groups">
        {groups.map((group) => (
          <li key={group.id}>
            <strong>{group.name}</strong>
            <p>{wordsOf(group)}</p>
            {changes && (
              <RowActions
                actions={[
                  { label: '编辑', do: editPlanGroup, onClick: () => form.open(group) },
                  step(deletePlanGroup, {
                    label: '删除',
                    danger: true,
                    with: { query: { id: group.id, version: plan.version } },
                    confirm: { title: `确定删除“${group.name}”吗？`, content: '删除后不能恢复。' },
                    done: `已删除“${group.name}”`,
                  }),
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {changes && (
        <Can do={savePlanGroup}>
          <Button size="small" onClick={() => form.open()}>
            新增选修组
          </Button>
        </Can>
      )}
      <GroupForm key={form.key} {...form.props} content={content} />
    </section>
  )
}
