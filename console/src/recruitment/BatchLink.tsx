import { Alert, Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { CopyButton } from '@/kit/CopyButton'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { QrCode } from '@/kit/QrCode'
import { RowActions } from '@/kit/RowActions'
import type { DrawerProps } from '@/kit/useDrawer'
import { type listPreRegistrationBatches, resetPreRegistrationLink, viewPreRegistrationBatch } from './api'
import './preRegistration.css'

type Batch = RowOf<typeof listPreRegistrationBatches>

const CODE_PX = 220

const Link = ({ name, link }: { name: string; link: string | null | undefined }) =>
  link ? (
    <figure className="batch-link">
      <QrCode text={link} label={`${name}的报名二维码`} size={CODE_PX} />
      <figcaption>
        <a href={link} target="_blank" rel="noreferrer">
          {link}
        </a>
        <CopyButton label="报名链接" value={link} />
      </figcaption>
    </figure>
  ) : (
    <Alert
      type="warning"
      content="学校还没有学生端地址，请先在系统设置的“招生与学籍”中填写客户端地址，或设置院校域名。"
    />
  )

/** 报名链接 of a batch with its QR code, and its renewal. */
export const BatchLink = ({ visible, record, onClose }: DrawerProps<Batch>) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [viewPreRegistrationBatch.path, record?.id],
    queryFn: () => call(viewPreRegistrationBatch, { query: { id: record?.id } }),
    enabled: visible && record !== undefined,
  })
  const title = `报名链接 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={420} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Loaded query={query} rows={6}>
        {({ id, name, link }) => (
          <>
            <Link name={name} link={link} />
            <RowActions
              actions={[
                step(resetPreRegistrationLink, {
                  label: '重置',
                  with: { body: { id } },
                  confirm: { title: '重置报名链接？', content: '原来的链接和二维码随即失效，已张贴的须更换。' },
                  done: '已重置报名链接',
                }),
              ]}
            />
          </>
        )}
      </Loaded>
    </Drawer>
  )
}
