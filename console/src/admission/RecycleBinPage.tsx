import { batches } from '@/enrolment/BatchSelect'
import { columnsOf } from '@/kit/columns'
import { Bin } from '@/recruitment/Bin'
import { DeletedAdmissionFile } from './AdmissionFile'
import {
  destroyAdmission,
  destroyAdmissions,
  exportDeletedAdmissions,
  listDeletedAdmissions,
  recoverAdmissions,
} from './api'
import { statusTones } from './tones'

const columns = columnsOf(listDeletedAdmissions, [
  { field: 'name', width: 155, fixed: 'left' },
  { field: 'examineeNo', width: 150, under: 'name' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'deletedAt', width: 170 },
  { field: 'deletedBy', width: 100 },
  {
    field: 'authorityMajorName',
    width: 160,
    render: ({ authorityMajorCode, authorityMajorName }) =>
      [authorityMajorCode, authorityMajorName].filter(Boolean).join(' '),
  },
  { field: 'siteName', width: 140 },
  { field: 'totalScore', width: 70 },
  { field: 'idCardNo', width: 165 },
  { field: 'batchName', width: 180 },
  { field: 'majorName', width: 160, hidden: true },
  { field: 'fileName', width: 160, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 录取回收站. */
export const RecycleBinPage = () => (
  <Bin
    title="录取回收站"
    help="删除的录取数据保留在这里；其中的考生号恢复或彻底删除前不能再导入。"
    what="录取数据"
    list={listDeletedAdmissions}
    exports={exportDeletedAdmissions}
    recover={recoverAdmissions}
    destroy={destroyAdmission}
    destroyAll={destroyAdmissions}
    batches={batches}
    columns={columns}
    file={(row) => <DeletedAdmissionFile id={row.id} />}
    asBefore="恢复后状态和站点与删除前相同；预报名需要重新匹配。"
    kept="已有相同考生号或证件号的有效数据、批次已结束的会保留并说明原因。"
    forGood="不能再恢复；操作日志中保留一条记录，证件号等已隐去。招办文件再次导入时作为新的数据。"
  />
)
