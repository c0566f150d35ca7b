import { Button } from '@arco-design/web-react'
import { IconTool } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDialog } from '@/kit/FormDialog'
import { ToJobCentre } from '@/kit/jobCentre'
import { rebuildStatistics } from './api'

const Field = fieldsOf(rebuildStatistics)

/** 重建统计: an operator has all figures of a semester of a school computed anew. */
export const Rebuild = () => {
  const overAll = isOverAll(useSchoolContext())
  const [open, setOpen] = useState(false)
  const [begun, setBegun] = useState(false)
  if (overAll) return null
  return (
    <Can do={rebuildStatistics}>
      <Button
        icon={<IconTool />}
        onClick={() => {
          setBegun(false)
          setOpen(true)
        }}
      >
        重建统计
      </Button>
      {begun && <ToJobCentre onLeave={() => setBegun(false)} />}
      {open && (
        <FormDialog<{ semesterCode: string }, unknown>
          title="重建统计"
          okText="开始重建"
          lead={<p className="form-hint">重新计算该学期的全部统计，在任务中心进行；只在数字与名单不一致时需要。</p>}
          action={(values, call) => call(rebuildStatistics, { body: values })}
          onDone={() => {
            setOpen(false)
            setBegun(true)
          }}
          onClose={() => setOpen(false)}
        >
          <Field name="semesterCode" help="例如 2026-1" />
        </FormDialog>
      )}
    </Can>
  )
}
