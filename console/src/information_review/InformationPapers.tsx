import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { PrintPreview } from '@/kit/PrintPreview'
import type { DrawerProps } from '@/kit/useDrawer'
import { useWhole } from '@/kit/useWhole'
import type { Group } from './groups'
import type { Item, Paper, View } from './informationRules'
import { Sheets } from './Sheets'

/** Whose papers are printed. */
export interface Wanted {
  id: number
  name: string
}

const idItem = ({ items }: View) => items.find(({ key }) => key === 'id_card_no')

/** What is shown in full when whoever prints asks for it. */
const masked = (view: View) => ({
  idCardNo: view.idCardNo,
  declaredIdCardNo: idItem(view)?.declared,
  contactPhone: view.information?.phone,
  emergencyPhone: view.information?.emergencyPhone,
  email: view.information?.email,
  address: view.information?.address,
  contactAfterPhone: view.graduation?.contactAfter,
})

type Plain = Partial<Record<keyof ReturnType<typeof masked>, string>>

const openedItem = (item: Item, { idCardNo, declaredIdCardNo }: Plain): Item =>
  item.key === 'id_card_no'
    ? { ...item, registered: idCardNo ?? item.registered, declared: declaredIdCardNo ?? item.declared }
    : item

/** The sheet with what was asked for in full. */
const opened = (paper: Paper, plain: Plain): Paper => {
  const { view } = paper
  const { information, graduation } = view
  return {
    ...paper,
    view: {
      ...view,
      idCardNo: plain.idCardNo ?? view.idCardNo,
      // The text names the student by the same number.
      commitmentText: view.commitmentText?.replaceAll(view.idCardNo, plain.idCardNo ?? view.idCardNo),
      items: view.items.map((item) => openedItem(item, plain)),
      information: information && {
        ...information,
        phone: plain.contactPhone ?? information.phone,
        emergencyPhone: plain.emergencyPhone ?? information.emergencyPhone,
        email: plain.email ?? information.email,
        address: plain.address ?? information.address,
      },
      graduation: graduation && { ...graduation, contactAfter: plain.contactAfterPhone ?? graduation.contactAfter },
    },
  }
}

const SheetsOf = ({ group, paper }: { group: Group; paper: Paper }) => {
  const { whole, tools } = useWhole(group.entity, paper.view.id, masked(paper.view))
  return (
    <PrintPreview note={`A4 纵向；${formatTime(paper.printedAt)}`} tools={tools}>
      <Sheets group={group} paper={opened(paper, whole)} />
    </PrintPreview>
  )
}

const sealed = { doc: 'qualification' as const }

const Papers = ({ group, id }: { group: Group; id: number }) => {
  const call = useCall()
  const paper = useQuery({
    queryKey: [group.print.path, id],
    // The seal is for one of the group's two papers.
    queryFn: () => call(group.print, { query: { id, ...(group.kind === 'admission_commitment' && sealed) } }),
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
