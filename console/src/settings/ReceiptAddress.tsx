import { Button, Form, Input } from '@arco-design/web-react'
import { IconCopy } from '@arco-design/web-react/icon'
import { addressOf } from '@/api/client'
import { tellSuccess, tellWarning } from '@/api/errors'
import { copyText } from '@/kit/copyText'
import { receiveSmsReceipts } from '@/messages/api'

/** Stands for a secret that was saved and is shown no more. */
const HIDDEN = '********'

interface Typed {
  content?: { provider?: string; receiptSecret?: string }
}

interface ReceiptAddressProps {
  /** Of a config that was saved before. */
  id: number | undefined
  /** Whether the server knows its secret already. */
  isSet: boolean
}

/** What there is to enter at the provider, or why there is nothing yet. */
const addressFor = (
  { id, isSet }: ReceiptAddressProps,
  { content = {} }: Typed,
): { address?: string; why?: string } => {
  const { provider, receiptSecret } = content
  if (provider !== 'aliyun' && provider !== 'tencent') return { why: '所选服务商没有回执' }
  if (!receiptSecret && !isSet) return { why: '填写回执密钥后，保存并重新打开即可复制' }
  if (id === undefined) return { why: '保存后重新打开即可复制' }
  return { address: addressOf(receiveSmsReceipts, { provider, config: id, secret: receiptSecret || HIDDEN }) }
}

const copy = async (address: string) => {
  if (await copyText(address)) tellSuccess('已复制回执地址')
  else tellWarning('浏览器不允许复制，请手工选择后复制')
}

/** 回执地址: what an operator enters at the provider of short messages; whole only while the secret stands in the form. */
export const ReceiptAddress = (props: ReceiptAddressProps) => (
  <Form.Item
    label="回执地址"
    shouldUpdate
    extra={`填入服务商控制台的短信状态回执地址。密钥不再显示时，请把 ${HIDDEN} 换成回执密钥，或重新设定一个。`}
  >
    {(values: Typed) => {
      const { address, why } = addressFor(props, values)
      return address ? (
        <Input
          readOnly
          aria-label="回执地址"
          value={address}
          suffix={
            <Button size="mini" type="text" icon={<IconCopy />} onClick={() => copy(address)}>
              复制
            </Button>
          }
        />
      ) : (
        <output>{why}</output>
      )
    }}
  </Form.Item>
)
