import { confirm } from '@/kit/confirm'

const NATIONAL_CODE = 'nationalCode'

/** The number by which certificates and reports name the school is not changed by the way. */
export const askIfRenumbered = async (changed: Readonly<Record<string, unknown>>) => {
  if (!(NATIONAL_CODE in changed)) return {}
  const confirmed = await confirm({
    title: '修改院校代码？',
    content: '院校代码用于证书编号和学信网文件；已导出过学信网文件的，修改后前后文件不一致。修改将记入日志。',
    okText: '修改',
    danger: true,
  })
  return confirmed ? { confirmed } : undefined
}
