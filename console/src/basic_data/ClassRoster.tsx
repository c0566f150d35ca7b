import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { RosterLine } from '@/api/types/student_status'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Printable, type PrintColumn } from '@/kit/Printable'
import type { DrawerProps } from '@/kit/useDrawer'
import { listStudents, viewClassRoster } from '@/student_status/api'

const columns: readonly PrintColumn<RosterLine>[] = [
  { title: '序号', width: '6%', of: ({ seq }) => String(seq) },
  { title: '学号', width: '15%', of: ({ studentNo }) => studentNo ?? '' },
  { title: '姓名', width: '13%', of: ({ name }) => name },
  { title: '性别', width: '6%', of: ({ gender }) => labelOf(listStudents, 'gender', gender) },
  { title: '证件号', width: '20%', of: ({ idCardNo }) => idCardNo },
  { title: '手机', width: '14%', of: ({ phone }) => phone ?? '' },
  { title: '状态', width: '9%', of: ({ status }) => labelOf(listStudents, 'status', status) },
  { title: '签名', width: '17%', of: () => '' },
]

const RosterOf = ({ id }: { id: number }) => {
  const request = useRequest()
  const roster = useQuery({
    queryKey: [viewClassRoster.path, id],
    queryFn: ({ signal }) => request(viewClassRoster, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={roster}>
      {(shown) => (
        <Printable
          title={`${shown.header}班级花名册`}
          about={[
            ...(shown.office ? ([['学院', shown.office]] as [string, string][]) : []),
            ['班级', shown.name],
            ['年级', shown.gradeName],
            ['层次', shown.levelName],
            ['专业', shown.majorName],
            ['学习形式', labelOf(listStudents, 'studyForm', shown.studyForm)],
            ['站点', shown.siteName],
            ['班主任', shown.managerName ?? '未设置'],
            ['人数', formatNumber(shown.students.length)],
            ['截至', formatTime(new Date(roster.dataUpdatedAt), 'YYYY-MM-DD HH:mm')],
          ]}
          columns={columns}
          rows={shown.students}
          keyOf={({ seq }) => seq}
          seal={shown.sealUrl}
          note="待注册、在籍、休学和超学制的学生，按学号排列"
          empty="该班级还没有学生"
          upright
        />
      )}
    </Loaded>
  )
}

interface Group {
  id: number
  name: string
}

/** 花名册: who sits in a class, to be printed and signed. */
export const ClassRoster = ({ visible, record, onClose }: DrawerProps<Group>) => {
  const title = `花名册 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={960} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <RosterOf id={record.id} />}
    </Drawer>
  )
}
