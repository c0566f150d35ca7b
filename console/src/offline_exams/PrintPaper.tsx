import { Button, Checkbox, Drawer, Radio, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { usePrinted } from '@/exam_seats/printed'
import { type Setup, SLOTS } from '@/exams/examRules'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import type { DrawerProps } from '@/kit/useDrawer'
import { printOfflinePaper } from './api'

const TITLE = '打印试卷'

/** 打印试卷 A or B of an examination; the first print settles the paper. */
export const PrintPaper = ({ visible, record: exam, onClose }: DrawerProps<Setup>) => {
  const there = SLOTS.filter((slot) => exam?.slots.includes(slot))
  const [slot, setSlot] = useState(there[0])
  const [withAnswer, setAnswer] = useState(false)
  const printing = usePrinted()
  return (
    <Drawer title={TITLE} width={420} visible={visible} footer={null} onCancel={onClose}>
      <DialogName name={TITLE} />
      <p className="form-hint">{exam?.name}：第一次打印时试卷定稿，题库以后的修改不影响本场考试。</p>
      <Space direction="vertical">
        <Radio.Group
          aria-label="试卷"
          value={slot}
          options={there.map((value) => ({ value, label: `${value}卷` }))}
          onChange={setSlot}
        />
        <Checkbox checked={withAnswer} onChange={setAnswer}>
          含答案
        </Checkbox>
        <Can do={printOfflinePaper}>
          <Button
            type="primary"
            loading={printing.isPending}
            onClick={() =>
              exam && printing.mutate({ operation: printOfflinePaper, body: { setupId: exam.id, slot, withAnswer } })
            }
          >
            打印
          </Button>
        </Can>
      </Space>
    </Drawer>
  )
}
