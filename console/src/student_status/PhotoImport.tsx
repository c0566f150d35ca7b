import { Alert, Button, Modal, Radio, Space, Switch, Table, Upload } from '@arco-design/web-react'
import { IconImage } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '@/api/client'
import { refetchAll } from '@/api/query'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { importStudentPhotos } from './api'

const KINDS = [
  { value: 'admission', label: '录取照片' },
  { value: 'enrol', label: '入学照片' },
  { value: 'graduation', label: '学历照片（480×640）' },
]

/** 导入照片: a zip of pictures named by 考生号, 证件号 or 学号. What fits is kept, the rest is told. */
export const PhotoImportButton = () => {
  const [open, setOpen] = useState(false)
  const [kind, setKind] = useState('enrol')
  const [overwrite, setOverwrite] = useState(false)
  const [file, setFile] = useState<File>()
  const run = useMutation({
    mutationFn: ({ archive, dryRun }: { archive: File; dryRun: boolean }) => {
      const form = new FormData()
      form.set('file', archive)
      form.set('kind', kind)
      form.set('overwrite', String(overwrite))
      form.set('dryRun', String(dryRun))
      return request(importStudentPhotos, { body: form })
    },
    onSuccess: () => refetchAll(),
  })
  const result = run.data
  const checked = result && run.variables?.dryRun
  const choose = (archive: File) => {
    setFile(archive)
    run.mutate({ archive, dryRun: true })
  }
  const close = () => {
    setOpen(false)
    setFile(undefined)
    run.reset()
  }
  const wrong = result
    ? [
        ...result.unmatched.map((name) => ({ key: `u${name}`, name, message: '没有匹配到学生' })),
        ...result.invalid.map(({ name, message }) => ({ key: `i${name}`, name, message })),
      ]
    : []
  return (
    <Can do={importStudentPhotos}>
      <Button icon={<IconImage />} onClick={() => setOpen(true)}>
        导入照片
      </Button>
      <Modal
        title="导入照片"
        style={{ width: 680 }}
        visible={open}
        onCancel={close}
        unmountOnExit
        footer={
          <Space>
            <Button onClick={close}>关闭</Button>
            {checked && file && (
              <Button
                type="primary"
                loading={run.isPending}
                disabled={result.matched === 0}
                onClick={() => run.mutate({ archive: file, dryRun: false })}
              >
                确认导入{formatNumber(result.matched)}张
              </Button>
            )}
          </Space>
        }
      >
        <p>压缩包内的图片以考生号、证件号或学号命名，格式 jpg 或 png，比例3:4，每张不超过2MB。</p>
        <Space direction="vertical" style={{ width: '100%' }}>
          <Radio.Group aria-label="照片类型" value={kind} onChange={setKind} options={KINDS} disabled={Boolean(file)} />
          <span>
            <Switch
              size="small"
              aria-label="覆盖已有照片"
              checked={overwrite}
              onChange={setOverwrite}
              disabled={Boolean(file)}
            />{' '}
            覆盖已有照片
          </span>
          {!file && (
            <Upload
              drag
              accept=".zip"
              limit={1}
              autoUpload={false}
              showUploadList={false}
              tip="只支持 .zip 文件，不超过1GB、20,000张"
              onChange={(list) => {
                const archive = list.at(-1)?.originFile
                if (archive) choose(archive)
              }}
            />
          )}
          {run.isPending && <Alert type="info" content="正在处理，请稍候" />}
          {result && (
            <Alert
              type={wrong.length > 0 ? 'warning' : 'success'}
              title={checked ? '检查结果' : '导入完成'}
              content={`共${formatNumber(result.total)}张，匹配${formatNumber(result.matched)}张（替换${formatNumber(result.replaced)}张），跳过${formatNumber(result.skipped)}张，未匹配${formatNumber(result.unmatched.length)}张，不符合要求${formatNumber(result.invalid.length)}张`}
            />
          )}
          {wrong.length > 0 && (
            <Table
              size="small"
              rowKey="key"
              data={wrong}
              virtualized
              pagination={false}
              scroll={{ y: 220 }}
              columns={[
                { title: '文件', dataIndex: 'name', width: 260 },
                { title: '原因', dataIndex: 'message' },
              ]}
            />
          )}
        </Space>
      </Modal>
    </Can>
  )
}
