import { Button, Drawer, Form, Space, Table } from '@arco-design/web-react'
import { IconPlus, IconSettings } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import { grades } from '@/basic_data/choices'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { editStudentNoRule, listStudentNoRules, previewStudentNoRule, saveStudentNoRule } from '@/student_numbers/api'
import { NumberSegments, type Segment, useSegmentKinds } from './NumberSegments'

type Rule = RowOf<typeof listStudentNoRules>

const Field = fieldsOf(saveStudentNoRule)

/** `入学年份2位 · 层次1位 · 顺序号4位` */
const written = (segments: readonly Segment[], words: readonly { value: string | number; label: string }[]) =>
  segments
    .map(({ kind, text, length }) => {
      const word = words.find(({ value }) => value === kind)?.label ?? kind
      if (text) return `${word}${text}`
      return length ? `${word}${length}位` : word
    })
    .join(' · ')

/** 学号规则: by what the numbers of a grade are made. */
export const NumberRules = () => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={saveStudentNoRule}>
      <Button icon={<IconSettings />} onClick={() => setOpen(true)}>
        学号规则
      </Button>
      {open && <RulesDrawer onClose={() => setOpen(false)} />}
    </Can>
  )
}

const RulesDrawer = ({ onClose }: { onClose: () => void }) => {
  const request = useRequest()
  const form = useDrawer<Rule>()
  const words = useSegmentKinds()
  const rules = useQuery({
    queryKey: [listStudentNoRules.path],
    queryFn: ({ signal }) => request(listStudentNoRules, {}, { signal }),
  })
  return (
    <Drawer title="学号规则" width={760} visible footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name="学号规则" />
      <p className="form-lead">先用该年级的规则，没有时用“其他所有年级”的规则；已用过的学号不会再次使用。</p>
      <Button type="primary" icon={<IconPlus />} className="form-lead" onClick={() => form.open()}>
        新增学号规则
      </Button>
      <Loaded query={rules}>
        {(list) => (
          <Table
            rowKey="id"
            size="small"
            border={{ wrapper: true }}
            pagination={false}
            data={list}
            noDataElement="还没有学号规则，新增后即可生成学号。"
            columns={[
              { title: '规则名称', dataIndex: 'name', width: 130 },
              {
                title: '适用年级',
                dataIndex: 'gradeNames',
                width: 120,
                render: (_: unknown, { gradeNames }: Rule) => gradeNames.join('、') || '其他所有年级',
              },
              {
                title: '组成',
                dataIndex: 'segments',
                render: (_: unknown, { segments, length }: Rule) => `${written(segments, words)}（共${length}位）`,
              },
              {
                title: '启用',
                dataIndex: 'enabled',
                width: 70,
                render: (_: unknown, { enabled }: Rule) => (
                  <Word tone={enabled ? 'good' : 'quiet'}>{enabled ? '启用' : '停用'}</Word>
                ),
              },
              {
                title: '操作',
                dataIndex: 'id',
                width: 70,
                render: (_: unknown, rule: Rule) => (
                  <Button type="text" size="small" aria-label={`编辑${rule.name}`} onClick={() => form.open(rule)}>
                    编辑
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <RuleForm key={form.key} {...form.props} />
    </Drawer>
  )
}

const RuleForm = (drawer: DrawerProps<Rule>) => (
  <FormDrawer
    {...drawer}
    width={720}
    title={drawer.record ? `编辑学号规则 ${drawer.record.name}` : '新增学号规则'}
    initial={{
      sortBy: 'examinee_no',
      enabled: true,
      gradeIds: [],
      segments: [
        { kind: 'grade_year', length: 2, values: [] },
        { kind: 'seq', length: 4, values: [] },
      ],
    }}
    action={(rule) =>
      rule
        ? formAction(editStudentNoRule, '已保存学号规则', { id: rule.id, version: rule.version })
        : formAction(saveStudentNoRule, '已新增学号规则')
    }
  >
    <Field name="name" />
    <Field name="gradeIds">
      <SeveralOptions label="适用年级" placeholder="其他所有年级" {...grades} />
    </Field>
    <div className="form-wide">
      <NumberSegments />
      <Foreseen />
    </div>
    <Field name="sortBy" />
    <Field name="enabled" />
  </FormDrawer>
)

/** 预览: what the rule that stands in the form would give next. */
const Foreseen = () => {
  const { form } = Form.useFormContext()
  const call = useCall()
  const preview = useMutation({
    mutationFn: () => {
      const { name, gradeIds, segments, sortBy, enabled } = form.getFieldsValue() as Rule
      const rule = { name: name || '预览', gradeIds: gradeIds ?? [], segments: segments ?? [], sortBy, enabled }
      return call(previewStudentNoRule, { body: { rule, studentIds: [] } })
    },
  })
  return (
    <section aria-label="学号预览" className="form-lead">
      <Space>
        <Button loading={preview.isPending} onClick={() => preview.mutate()}>
          预览学号
        </Button>
        {preview.data?.length === 0 && <span>没有等待学号的学生，暂时看不到示例。</span>}
      </Space>
      <ol>
        {preview.data?.map(({ studentId, name, studentNo, message }) => (
          <li key={studentId}>
            {name}：{studentNo ?? message}
          </li>
        ))}
      </ol>
    </section>
  )
}
