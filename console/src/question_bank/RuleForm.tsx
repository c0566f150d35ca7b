import { Form } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { DataOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { known } from '@/basic_data/BasicSelect'
import { CourseSelect } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { ReadFirst } from '@/kit/ReadFirst'
import type { DrawerProps } from '@/kit/useDrawer'
import { editPaperRule, type listPaperRules, savePaperRule, viewPaperRule } from './api'
import { RuleItemsInput } from './RuleItemsInput'
import { firstItems, itemsRefusal, sentItems } from './ruleItems'

type Rule = RowOf<typeof listPaperRules>
type RuleView = DataOf<typeof viewPaperRule>

const Field = fieldsOf(savePaperRule)
const WIDTH = 900

/** 新增 and 编辑 of a rule. The list does not tell its items, so they are read before the form stands. */
export const RuleForm = ({ record, visible, ...drawer }: DrawerProps<Rule>) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewPaperRule.path, record?.id, 'form'],
    queryFn: ({ signal }) => request(viewPaperRule, { query: { id: record?.id ?? 0 } }, { signal }),
    enabled: visible && record !== undefined,
    gcTime: 0,
  })
  if (record && !query.data) {
    const title = `编辑组卷策略 ${record.name}`
    return <ReadFirst title={title} width={WIDTH} visible={visible} onClose={drawer.onClose} query={query} />
  }
  return <Typed key={query.data?.id} {...drawer} visible={visible} record={query.data} />
}

const Typed = ({ record, ...drawer }: DrawerProps<RuleView>) => (
  <FormDrawer<RuleView, { id: number }>
    {...drawer}
    record={record}
    width={WIDTH}
    title={record ? `编辑组卷策略 ${record.name}` : '新增组卷策略'}
    initial={{
      kind: 'exam',
      totalScore: 100,
      avoidRecentSemesters: 0,
      avoidHomeworkQuestions: false,
      items: firstItems(),
    }}
    action={(rule) => {
      const save = rule
        ? formAction(editPaperRule, '已保存组卷策略', rule)
        : formAction(savePaperRule, '已新增组卷策略')
      // Homework has no time that a form could still hold.
      const without = (values: object) =>
        'kind' in values && values.kind === 'homework' ? { ...values, durationMinutes: null } : values
      return { ...save, send: (values, request) => save.send(sentItems(without(values)), request) }
    }}
    reload={(rule, call) => call(viewPaperRule, { query: { id: rule.id } })}
    keep={['courseId', 'kind', 'totalScore']}
  >
    <Field name="name" />
    <Field name="courseId">
      <CourseSelect type="course" known={known(record?.courseId, record?.courseName)} />
    </Field>
    <Field name="kind" help="决定可以使用哪些题库的试题" />
    <Field name="totalScore" label="目标总分" />
    <Form.Item noStyle shouldUpdate>
      {(values: Partial<RuleView>) =>
        values.kind !== 'homework' && <Field name="durationMinutes" label="时长" help="分钟，10至300" />
      }
    </Form.Item>
    <Field name="avoidRecentSemesters" label="避开最近学期" help="不抽最近几个学期同类试卷用过的题，0为不避开" />
    <Field name="avoidHomeworkQuestions" label="避开作业题" />
    <div className="form-whole">
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<RuleView>) => (
          <Form.Item
            field="items"
            label="抽题项"
            required
            rules={[
              {
                validator: (items, report) =>
                  report(itemsRefusal(Array.isArray(items) ? items : [], values.totalScore ?? undefined)),
              },
            ]}
          >
            <RuleItemsInput courseId={values.courseId} target={values.totalScore ?? undefined} />
          </Form.Item>
        )}
      </Form.Item>
    </div>
  </FormDrawer>
)
