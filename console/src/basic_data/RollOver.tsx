import { Alert, Button, Drawer, Form, Result, Select, Space } from '@arco-design/web-react'
import { IconCalendar } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { useAction } from '@/kit/useAction'
import { usePlaces } from '@/kit/usePlaces'
import { listClasses, previewRollOver, saveRollOver } from './api'
import { BasicSelect, known } from './BasicSelect'
import { RollOverPlan, type Ticks } from './RollOverPlan'

type Wish = BodyOf<typeof previewRollOver>
type Plan = RowOf<typeof previewRollOver>

/** How many years ahead one can roll over. */
const YEARS_AHEAD = 10

/** 年度结转: the grade, the semesters and the classes of a year are shown as they would be in a later one, and then made. */
export const RollOver = () => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={saveRollOver}>
      <Button icon={<IconCalendar />} onClick={() => setOpen(true)}>
        年度结转
      </Button>
      {open && <RollOverDrawer onClose={() => setOpen(false)} />}
    </Can>
  )
}

const newOnes = (rows: readonly { sourceId: number; state: string }[]) =>
  rows.filter(({ state }) => state === 'new').map(({ sourceId }) => sourceId)

/** All that can be made, until somebody says otherwise. */
const allOf = ({ digest, grade, semesters, classes }: Plan): Ticks => ({
  digest,
  grade: grade.state === 'new',
  semesterIds: newOnes(semesters),
  classIds: newOnes(classes),
})

const counted = (grades: number, semesters: number, classes: number) =>
  `年级${formatNumber(grades)}个、学期${formatNumber(semesters)}个、班级${formatNumber(classes)}个`

const RollOverDrawer = ({ onClose }: { onClose: () => void }) => {
  const request = useRequest()
  const navigate = useNavigate()
  const places = usePlaces()
  const formId = useId()
  const [wish, setWish] = useState<Wish>({})
  const [chosen, setChosen] = useState<Ticks>()
  const save = useAction(saveRollOver)
  const preview = useQuery({
    queryKey: [previewRollOver.path, wish],
    queryFn: ({ signal }) => request(previewRollOver, { body: wish }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !save.isSuccess,
  })
  const plan = preview.data
  // Ticks belong to the plan in which they were set: a new one begins with all of its own.
  const ticksOf = (shown: Plan) => (chosen?.digest === shown.digest ? chosen : allOf(shown))
  const ticks = plan && ticksOf(plan)
  const count = ticks ? Number(ticks.grade) + ticks.semesterIds.length + ticks.classIds.length : 0
  const carryOut = () => {
    if (plan && ticks) save.mutate({ body: { gradeId: plan.gradeId, year: plan.year, ...ticks } })
  }
  const done = save.data
  const showClasses = (gradeId: number) => {
    onClose()
    navigate(places('classes', { gradeId }))
  }
  return (
    <Drawer
      title="年度结转"
      width={960}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{done ? '关闭' : '取消'}</Button>
          {!done && (
            <Button
              type="primary"
              loading={save.isPending}
              disabled={count === 0 || preview.isPlaceholderData}
              onClick={carryOut}
            >
              执行结转
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name="年度结转" />
      {done ? (
        <Result
          status="success"
          title={`已结转到${save.variables?.body.year}年：新建${counted(done.grades, done.semesters, done.classes)}`}
          subTitle="停课日期请在学期管理中填写，班主任请在班级管理中设置。"
          extra={
            done.classes > 0 && (
              <Can do={listClasses}>
                <Button type="primary" onClick={() => showClasses(done.id)}>
                  查看班级
                </Button>
              </Can>
            )
          }
        />
      ) : (
        <>
          <p className="form-lead">
            按来源年级生成目标年份的年级、学期和班级，先预览再执行；学期按整周顺延、星期不变，停课日期和班主任不结转。
          </p>
          <Form id={formId} layout="vertical" className="form-grid">
            <Form.Item label="来源年级">
              <BasicSelect
                type="grade"
                label="来源年级"
                value={wish.gradeId ?? plan?.gradeId}
                known={known(plan?.gradeId, plan?.gradeName)}
                onChange={(gradeId) => setWish({ gradeId })}
              />
            </Form.Item>
            <Form.Item label="目标年份">
              <Select
                aria-label="目标年份"
                disabled={!plan}
                value={plan?.year}
                onChange={(year: number) => setWish({ gradeId: plan?.gradeId, year })}
                options={Array.from({ length: YEARS_AHEAD }, (_, ahead) => {
                  const year = (plan?.fromYear ?? 0) + ahead + 1
                  return { value: year, label: `${year}年` }
                })}
              />
            </Form.Item>
          </Form>
          <Loaded query={preview}>
            {(shown) => {
              const current = ticksOf(shown)
              return (
                <div className={preview.isPlaceholderData ? 'table-stale' : undefined}>
                  <Alert
                    className="form-lead"
                    type={count > 0 ? 'info' : 'warning'}
                    content={
                      count > 0
                        ? `从${shown.gradeName}结转到${shown.year}年：将新建${counted(
                            Number(current.grade),
                            current.semesterIds.length,
                            current.classIds.length,
                          )}`
                        : '没有勾选要新建的内容'
                    }
                  />
                  <RollOverPlan plan={shown} ticks={current} onTick={setChosen} />
                </div>
              )
            }}
          </Loaded>
        </>
      )}
    </Drawer>
  )
}
