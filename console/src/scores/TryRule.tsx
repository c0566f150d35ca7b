import { Button, Descriptions, Drawer, Form, InputNumber } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { StudentSelect } from '@/course_selection/choices'
import { CourseSelect } from '@/courses/CourseSelect'
import { DialogName } from '@/kit/DialogName'
import { points } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { resolveScoreRule, tryScoreRule } from './api'
import { mayNameCourse, type Rule, ruleScope, type ScoreKind, tried } from './scoreWords'

type Values = NonNullable<BodyOf<typeof tryScoreRule>['values']>
type NumberName = { [Name in keyof Values]-?: NonNullable<Values[Name]> extends number ? Name : never }[keyof Values]
type Typed = Partial<Record<NumberName, number>>

/** What may be typed in place of a student's own, by kind. */
const fields: Readonly<Partial<Record<ScoreKind, readonly (readonly [name: NumberName, label: string])[]>>> = {
  study: [
    ['progress', '学习进度(%)'],
    ['minutes', '学习分钟'],
    ['days', '学习天数'],
    ['onlineHours', '在线学时'],
  ],
  attendance: [
    ['sessions', '课次'],
    ['absent', '缺勤'],
    ['late', '迟到'],
    ['leave', '请假'],
    ['instructionTotal', '面授总成绩'],
    ['attendanceScore', '出勤成绩'],
  ],
  questions: [
    ['asked', '提问次数'],
    ['answered', '回答次数'],
  ],
  final_exam: [
    ['study', '学习成绩'],
    ['homework', '作业成绩'],
    ['attendance', '考勤成绩'],
    ['questions', '答疑成绩'],
    ['exam', '卷面成绩'],
  ],
  total: [
    ['study', '学习成绩'],
    ['homework', '作业成绩'],
    ['attendance', '考勤成绩'],
    ['questions', '答疑成绩'],
    ['exam', '卷面成绩'],
  ],
  graduation_total: [
    ['internship', '实习成绩'],
    ['thesis', '论文成绩'],
    ['review', '评阅成绩'],
    ['defense', '答辩成绩'],
  ],
}

interface ItemOfRule {
  code: string
  name: string
}

/** 评分项 of a rule whose parameters are items. */
const itemsIn = (params: unknown): ItemOfRule[] => {
  if (typeof params !== 'object' || params === null || !('items' in params) || !Array.isArray(params.items)) return []
  return params.items.filter(
    (item): item is ItemOfRule => typeof item?.code === 'string' && typeof item?.name === 'string',
  )
}

const Winner = ({
  kind,
  studentId,
  courseId,
}: {
  kind: ScoreKind
  studentId: number
  courseId: number | undefined
}) => {
  const request = useRequest()
  const found = useQuery({
    queryKey: [resolveScoreRule.path, kind, studentId, courseId],
    queryFn: ({ signal }) => request(resolveScoreRule, { query: { kind, studentId, courseId } }, { signal }),
  })
  if (found.isError) return <p role="alert">{messageOf(found.error)}</p>
  const rule = found.data?.rule
  if (!rule) return null
  return (
    <p className="form-hint">
      适用规则：{ruleScope(rule)}，{rule.summary}
    </p>
  )
}

/** 试算: a rule, or the one that applies, tried on a student of the school or on figures that are typed. */
export const TryRule = ({ kind, record: rule, visible, onClose }: DrawerProps<Rule> & { kind: ScoreKind }) => {
  const request = useRequest()
  const [studentId, setStudent] = useState<number>()
  const [courseId, setCourse] = useState<number>()
  const [typed, setTyped] = useState<Typed>({})
  const [tasks, setTasks] = useState<readonly (number | undefined)[]>([undefined, undefined, undefined])
  const [scores, setScores] = useState<Readonly<Record<string, number | undefined>>>({})
  const items = itemsIn(rule?.params)
  const named = fields[kind] ?? []
  const trial = useMutation({
    mutationFn: () =>
      request(tryScoreRule, {
        body: {
          kind,
          studentId,
          courseId,
          params: rule?.params,
          values: tried(kind, typed, tasks, scores),
        },
      }),
  })
  const number = (value: number | string | undefined) => (typeof value === 'number' ? value : undefined)
  const result = trial.data
  return (
    <Drawer title="规则试算" width={560} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name="规则试算" />
      <Form layout="vertical" onSubmit={() => trial.mutate()}>
        <p className="form-hint">{rule ? `试算规则：${ruleScope(rule)}，${rule.summary}` : '按适用的规则试算'}</p>
        <Form.Item label="学生" extra="选择学生和课程、不填数值时，按学生现有的情况计算">
          <StudentSelect value={studentId} onChange={setStudent} />
        </Form.Item>
        {mayNameCourse(kind) && (
          <Form.Item label="课程">
            <CourseSelect type="course" label="课程" value={courseId} onChange={setCourse} />
          </Form.Item>
        )}
        {!rule && studentId !== undefined && <Winner kind={kind} studentId={studentId} courseId={courseId} />}
        <div className="form-grid">
          {named.map(([name, label]) => (
            <Form.Item key={name} label={label}>
              <InputNumber
                aria-label={label}
                min={0}
                max={1_000_000}
                precision={1}
                hideControl
                onChange={(value) => setTyped((before) => ({ ...before, [name]: number(value) }))}
              />
            </Form.Item>
          ))}
          {kind === 'homework' &&
            tasks.map((score, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a task is known by its place alone
              <Form.Item key={at} label={`第${at + 1}次作业`} extra="不填为未交">
                <InputNumber
                  aria-label={`第${at + 1}次作业`}
                  min={0}
                  max={100}
                  precision={1}
                  hideControl
                  value={score}
                  onChange={(value) => setTasks(tasks.map((each, place) => (place === at ? number(value) : each)))}
                />
              </Form.Item>
            ))}
          {items.map(({ code, name }) => (
            <Form.Item key={code} label={name}>
              <InputNumber
                aria-label={name}
                min={0}
                max={100}
                precision={1}
                hideControl
                onChange={(value) => setScores((before) => ({ ...before, [code]: number(value) }))}
              />
            </Form.Item>
          ))}
        </div>
        <Button type="primary" htmlType="submit" loading={trial.isPending}>
          试算
        </Button>
      </Form>
      {result && (
        <section aria-label="试算结果">
          <h3>
            结果 {result.text}
            {result.value !== null && result.value !== undefined && `（${points(result.value)}）`}
          </h3>
          <p className="form-hint">{result.summary}</p>
          <Descriptions
            column={1}
            labelStyle={{ width: 140 }}
            data={result.steps.map(({ name, text }, at) => ({ key: `${at}`, label: name, value: text }))}
          />
        </section>
      )}
    </Drawer>
  )
}
