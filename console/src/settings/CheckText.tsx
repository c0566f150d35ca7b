import { Alert, Button, Input, Modal, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { checkSensitiveText, listSensitiveWords } from './api'
import { partsOf } from './marks'
import './settings.css'

type TextChecked = RowOf<typeof checkSensitiveText>

const MOST = 20_000

/** The words of an enumeration, from the list's own document. */
const wordOf = (field: 'action' | 'category', value: string) =>
  listSensitiveWords.columns[field]?.options?.find(([code]) => code === value)?.[1] ?? value

const outcomes: Record<NonNullable<TextChecked['action']>, string> = {
  reject: '提交会被拒绝',
  review: '提交后转人工审核',
  mask: '提交后敏感词会被替换',
}

const Result = ({ text, checked }: { text: string; checked: TextChecked }) => {
  if (!checked.action) return <Alert type="success" content="没有发现敏感词" />
  return (
    <>
      <Alert
        type={checked.action === 'mask' ? 'info' : 'warning'}
        content={`命中${checked.hits.length}处，${outcomes[checked.action]}。`}
      />
      <p className="checked-text" role="note" aria-label="命中位置">
        {partsOf(text, checked.hits).map(({ text: part, at, hit }) =>
          hit ? (
            <mark
              key={at}
              className={`hit-${hit.action}`}
              title={`${wordOf('category', hit.category)}，${wordOf('action', hit.action)}`}
            >
              {part}
            </mark>
          ) : (
            <span key={at}>{part}</span>
          ),
        )}
      </p>
      <Table
        size="small"
        rowKey="start"
        data={checked.hits}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        columns={[
          { title: '敏感词', dataIndex: 'word' },
          { title: '分类', dataIndex: 'category', width: 100, render: (value: string) => wordOf('category', value) },
          { title: '处理方式', dataIndex: 'action', width: 100, render: (value: string) => wordOf('action', value) },
          { title: '位置', dataIndex: 'start', width: 90, render: (start: number) => `第${start + 1}字` },
        ]}
      />
      {checked.masked !== text && (
        <p className="checked-text" role="note" aria-label="替换后">
          替换后：{checked.masked}
        </p>
      )}
    </>
  )
}

/** 校验文本: what would become of a text. */
export const CheckText = ({ onClose }: { onClose: () => void }) => {
  const [text, setText] = useState('')
  const check = useMutation({
    mutationFn: async (given: string) => ({
      given,
      checked: await call(checkSensitiveText, { body: { text: given } }),
    }),
  })
  return (
    <Modal
      title="校验文本"
      style={{ width: 720 }}
      visible
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button
            type="primary"
            disabled={!text.trim()}
            loading={check.isPending}
            onClick={() => check.mutate(text.trim())}
          >
            校验
          </Button>
        </>
      }
    >
      <Input.TextArea
        aria-label="文本"
        placeholder="粘贴要校验的文本"
        maxLength={MOST}
        showWordLimit
        autoSize={{ minRows: 5, maxRows: 10 }}
        value={text}
        onChange={setText}
      />
      <div className="checked" aria-live="polite">
        {check.data && <Result text={check.data.given} checked={check.data.checked} />}
      </div>
    </Modal>
  )
}
