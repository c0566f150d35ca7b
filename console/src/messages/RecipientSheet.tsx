import { Alert, Button, Table, Upload } from '@arco-design/web-react'
import { IconImport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '@/api/client'
import { formatNumber } from '@/kit/format'
import { importRecipients } from './api'

interface RecipientSheetProps {
  value?: number
  onChange?: (listId: number | undefined) => void
  /** The file of the list that the message has already. */
  known?: string | null
  'aria-label'?: string
}

/** 接收名单: a sheet of 学号 or 手机号; its list is kept only when every row is right. */
export const RecipientSheet = ({ value, onChange, known, 'aria-label': label }: RecipientSheetProps) => {
  const [name, setName] = useState(known ?? undefined)
  const upload = useMutation({
    mutationFn: (file: File) => {
      const body = new FormData()
      body.set('file', file)
      return request(importRecipients, { body })
    },
    onSuccess: ({ listId }, file) => {
      setName(listId ? file.name : undefined)
      onChange?.(listId ?? undefined)
    },
  })
  const answer = upload.data
  return (
    <section aria-label={label}>
      <Upload
        accept=".xlsx"
        autoUpload={false}
        showUploadList={false}
        onChange={(list) => {
          const file = list.at(-1)?.originFile
          if (file) upload.mutate(file)
        }}
      >
        <Button icon={<IconImport />} loading={upload.isPending}>
          {value ? '重新导入名单' : '导入名单'}
        </Button>
      </Upload>
      {value && !answer?.errors.length && (
        <p role="status">
          {name ?? '已有名单'}
          {answer && `，共${formatNumber(answer.imported)}人`}
        </p>
      )}
      {answer && answer.errors.length > 0 && (
        <>
          <Alert type="error" content={`共${formatNumber(answer.total)}行，以下各处需要改正后重新导入`} />
          <Table
            size="small"
            rowKey="key"
            data={answer.errors.map((error, key) => ({ ...error, key }))}
            pagination={false}
            scroll={{ y: 200 }}
            columns={[
              { title: '行', dataIndex: 'row', width: 70 },
              { title: '列', dataIndex: 'column', width: 120 },
              { title: '原因', dataIndex: 'message' },
            ]}
          />
        </>
      )}
    </section>
  )
}
