import { Table } from '@arco-design/web-react'
import { formatNumber } from '@/kit/format'
import { Word } from '@/kit/Status'
import { byMessage, type namedNotes } from './selectionRules'

interface NotesProps {
  label: string
  notes: ReturnType<typeof namedNotes>
  tone: 'bad' | 'warning'
}

/** Who does not come into which course, and why; or who does, with what is worth a second look. */
export const Notes = ({ label, notes, tone }: NotesProps) => {
  if (notes.length === 0) return null
  return (
    <section aria-label={label} className="form-wide">
      <h3>
        {label} {formatNumber(notes.length)}条
      </h3>
      <p>
        {byMessage(notes).map(([message, count]) => (
          <span key={message} className="note-kind">
            <Word tone={tone}>
              {message} {formatNumber(count)}
            </Word>
          </span>
        ))}
      </p>
      <Table
        size="small"
        rowKey="key"
        border={{ wrapper: true }}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        data={notes}
        columns={[
          { title: '学生', dataIndex: 'student', width: 240 },
          { title: '开课', dataIndex: 'opening', width: 220 },
          { title: '说明', dataIndex: 'message' },
        ]}
      />
    </section>
  )
}
