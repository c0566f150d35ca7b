import { batches } from '@/enrolment/BatchSelect'
import { columnsOf } from '@/kit/columns'
import { Bin } from '@/recruitment/Bin'
import {
  destroyRegistration,
  destroyRegistrations,
  exportDeletedRegistrations,
  listDeletedRegistrations,
  recoverRegistrations,
} from './api'
import { DeletedRegistrationFile } from './RegistrationFile'
import { statusTones } from './tones'

const columns = columnsOf(listDeletedRegistrations, [
  { field: 'name', width: 155, fixed: 'left' },
  { field: 'examineeNo', width: 150, under: 'name' },
  { field: 'status', width: 120, fixed: 'left', tones: statusTones },
  { field: 'deletedAt', width: 170 },
  { field: 'deletedBy', width: 100 },
  { field: 'majorName', width: 140 },
  { field: 'siteName', width: 140 },
  { field: 'idCardNo', width: 165 },
  { field: 'batchName', width: 180 },
  { field: 'levelName', width: 80, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 报到回收站. */
export const RecycleBinPage = () => (
  <Bin
    title="报到回收站"
    help="删除的和撤销审核的报到数据保留在这里，恢复后状态与删除前相同。"
    what="报到数据"
    list={listDeletedRegistrations}
    exports={exportDeletedRegistrations}
    recover={recoverRegistrations}
    destroy={destroyRegistration}
    destroyAll={destroyRegistrations}
    batches={batches}
    columns={columns}
    file={(row) => <DeletedRegistrationFile id={row.id} />}
    asBefore="恢复后状态与删除前相同。"
    kept="录取数据在回收站、已有有效报到数据的会保留并说明原因。"
    forGood="照片和附件一并删除，不能再恢复；操作日志中保留一条记录，证件号等已隐去。"
  />
)
