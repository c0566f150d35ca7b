import { Alert, Button, Modal, Table, Upload } from '@arco-design/web-react'
import { IconImport } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import { refetchAll } from '@/api/query'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { importSensitiveWords } from './api'
import './settings.css'

/** txt 导入: one word a line; nothing is written unless every line is right. */
export const ImportWords = () => {
  const [open, setOpen] = useState(false)
  const [file, setFile] = useState<File>()
  const importing = useMutation({
    mutationFn: (chosen: File) => {
      const form = new FormData()
      form.set('file', chosen)
      return call(importSensitiveWords, { body: form })
    },
    onSuccess: () => refetchAll(),
  })
  const answer = importing.data
  const wrong = answer && answer.errors.length > 0
  const close = () => {
    setOpen(false)
    setFile(undefined)
    importing.reset()
  }
  return (
    <Can do={importSensitiveWords}>
      <Button icon={<IconImport />} onClick={() => setOpen(true)}>
        txt 导入
      </Button>
      <Modal
        title="导入敏感词文本"
        style={{ width: 640 }}
        visible={open}
        onCancel={close}
        unmountOnExit
        footer={
          <>
            <Button onClick={close}>{answer && !wrong ? '完成' : '取消'}</Button>
            {(!answer || wrong) && (
              <Button
                type="primary"
                disabled={!file}
                loading={importing.isPending}
                onClick={() => file && importing.mutate(file)}
              >
                导入
              </Button>
            )}
          </>
        }
      >
        <p className="import-help">
          文本文件（UTF-8 或
          GB18030），每行一个词，不超过20万行、20MB。词后可用制表符接分类和处理方式，如“代考⇥广告⇥拒绝”，不填为“其他”“拒绝”。
        </p>
        <Upload
          drag
          accept=".txt,text/plain"
          limit={1}
          autoUpload={false}
          fileList={file ? [{ uid: file.name, name: file.name, originFile: file }] : []}
          onChange={(files) => {
            setFile(files.at(-1)?.originFile)
            importing.reset()
          }}
        />
        {wrong && (
          <>
            <Alert
              type="error"
              title={`共${formatNumber(answer.total)}行，其中${formatNumber(answer.errors.length)}行需要改正，没有写入任何数据`}
            />
            <Table
              className="import-errors"
              size="small"
              rowKey="row"
              data={answer.errors}
              pagination={false}
              scroll={{ y: 240 }}
              columns={[
                { title: '行', dataIndex: 'row', width: 80 },
                { title: '列', dataIndex: 'column', width: 120 },
                { title: '原因', dataIndex: 'message' },
              ]}
            />
          </>
        )}
        {answer && !wrong && (
          <Alert
            type="success"
            content={`共${formatNumber(answer.total)}行，导入${formatNumber(answer.imported)}个词，跳过${formatNumber(answer.skipped)}行（空行或已存在）。`}
          />
        )}
      </Modal>
    </Can>
  )
}
