import { Button, Drawer, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { SLOTS } from '@/exams/examRules'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { Sheet } from '@/question_bank/PaperSheet'
import { sumOf } from '@/question_bank/questionRules'
import { previewOnlinePaper } from './api'
import '@/question_bank/questionBank.css'

type Slot = (typeof SLOTS)[number]

interface LookProps {
  setupId: number
  courseName: string
  slot: Slot
  onClose: () => void
}

const Look = ({ setupId, courseName, slot, onClose }: LookProps) => {
  const request = useRequest()
  const title = `${slot}卷预览`
  const query = useQuery({
    queryKey: [previewOnlinePaper.path, setupId, slot],
    queryFn: ({ signal }) => request(previewOnlinePaper, { query: { setupId, slot } }, { signal }),
  })
  return (
    <Drawer title={title} width={860} visible footer={null} onCancel={onClose}>
      <DialogName name={title} />
      <Loaded query={query}>
        {(paper) => (
          <>
            <p className="form-hint">
              {paper.snapshotId ? '发布时定稿的试卷，题库以后的修改不影响本场考试。' : '试卷的现有内容，发布时定稿。'}
            </p>
            <Sheet
              paper={{
                name: paper.paperName,
                courseName,
                kind: 'exam',
                variant: slot,
                totalScore: sumOf(paper.sections.flatMap(({ questions }) => questions.map(({ score }) => score))),
                sections: paper.sections,
                media: paper.media,
                answerVisible: true,
              }}
              answers
              onPaper={false}
            />
          </>
        )}
      </Loaded>
    </Drawer>
  )
}

/** 预览 of each paper, with its keys. */
export const PaperPreview = (props: { setupId: number; courseName: string; slots: readonly string[] }) => {
  const [slot, setSlot] = useState<Slot>()
  const there = SLOTS.filter((each) => props.slots.includes(each))
  if (there.length === 0) return null
  return (
    <Space className="form-lead">
      {there.map((each) => (
        <Button key={each} size="small" onClick={() => setSlot(each)}>
          预览{each}卷
        </Button>
      ))}
      {slot && (
        <Look setupId={props.setupId} courseName={props.courseName} slot={slot} onClose={() => setSlot(undefined)} />
      )}
    </Space>
  )
}
