import { Button, Drawer } from '@arco-design/web-react'
import { IconEye } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { viewPlain } from '@/api/infra'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { PrintPreview } from '@/kit/PrintPreview'
import type { DrawerProps } from '@/kit/useDrawer'
import type { Group } from './groups'
import type { Item, Paper, View } from './informationRules'
import { Sheets } from './Sheets'

/** Whose papers are printed. */
export interface Wanted {
  id: number
  name: string
}

const idItem = ({ items }: View) => items.find(({ key }) => key === 'id_card_no')

/** What is shown in full when whoever prints asks for it, and where it stands. */
const masked = {
  idCardNo: (view: View) => view.idCardNo,
  declaredIdCardNo: (view: View) => idItem(view)?.declared,
  contactPhone: (view: View) => view.information?.phone,
  emergencyPhone: (view: View) => view.information?.emergencyPhone,
  email: (view: View) => view.information?.email,
  address: (view: View) => view.information?.address,
  contactAfter: (view: View) => view.graduation?.contactAfter,
} as const
type Name = keyof typeof masked
const names = Object.keys(masked) as Name[]

type Plain = Partial<Record<Name, string>>

const openedItem = (item: Item, { idCardNo, declaredIdCardNo }: Plain): Item =>
  item.key === 'id_card_no'
    ? { ...item, registered: idCardNo ?? item.registered, declared: declaredIdCardNo ?? item.declared }
    : item

/** The sheet with what was asked for in full. */
const opened = (paper: Paper, plain: Plain | undefined): Paper => {
  if (!plain) return paper
  const { view } = paper
  const { information, graduation } = view
  return {
    ...paper,
    view: {
      ...view,
      idCardNo: plain.idCardNo ?? view.idCardNo,
      items: view.items.map((item) => openedItem(item, plain)),
      information: information && {
        ...information,
        phone: plain.contactPhone ?? information.phone,
        emergencyPhone: plain.emergencyPhone ?? information.emergencyPhone,
        email: plain.email ?? information.email,
        address: plain.address ?? information.address,
      },
      graduation: graduation && { ...graduation, contactAfter: plain.contactAfter ?? graduation.contactAfter },
    },
  }
}

const SheetsOf = ({ group, paper }: { group: Group; paper: Paper }) => {
  const call = useCall()
  const { view } = paper
  const hidden = names.filter((name) => masked[name](view)?.includes('*'))
  const opening = useMutation({
    mutationFn: async () => {
      const values = hidden.map(async (field) => {
        const { value } = await call(viewPlain, { body: { entity: group.entity, id: view.id, field } })
        return [field, value ?? undefined] as const
      })
      const plain: Plain = Object.fromEntries(await Promise.all(values))
      return plain
    },
  })
  const tools = hidden.length > 0 && !opening.data && (
    <Button icon={<IconEye />} title="将记入日志" loading={opening.isPending} onClick={() => opening.mutate()}>
      显示完整信息
    </Button>
  )
  return (
    <PrintPreview note={`A4 纵向；${formatTime(paper.printedAt)}`} tools={tools}>
      <Sheets group={group} paper={opened(paper, opening.data)} />
    </PrintPreview>
  )
}

const Papers = ({ group, id }: { group: Group; id: number }) => {
  const call = useCall()
  const paper = useQuery({
    queryKey: [group.print.path, id],
    queryFn: () => call(group.print, { query: { id } }),
  })
  return <Loaded query={paper}>{(shown) => <SheetsOf group={group} paper={shown} />}</Loaded>
}

/** 打印: what somebody signs, or signed, on A4 upright. */
export const InformationPapers = ({ group, visible, record, onClose }: DrawerProps<Wanted> & { group: Group }) => {
  const title = `打印${group.paper} ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Papers group={group} id={record.id} />}
    </Drawer>
  )
}
