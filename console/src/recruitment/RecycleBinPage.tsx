import { columnsOf } from '@/kit/columns'
import {
  destroyPreRegistration,
  destroyPreRegistrations,
  exportDeletedPreRegistrations,
  listDeletedPreRegistrations,
  recoverPreRegistrations,
} from './api'
import { batches } from './BatchSelect'
import { Bin } from './Bin'
import { DeletedDetail } from './PreRegistrationDetail'
import { examTones, statusTones } from './tones'

const columns = columnsOf(listDeletedPreRegistrations, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'deletedAt', width: 170 },
  { field: 'deletedBy', width: 100 },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 140 },
  { field: 'siteName', width: 140 },
  { field: 'idCardNo', width: 165 },
  { field: 'batchName', width: 180 },
  { field: 'phone', width: 130, hidden: true },
  { field: 'examStatus', tones: examTones, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 预报名回收站. */
export const RecycleBinPage = () => (
  <Bin
    title="预报名回收站"
    help="删除的预报名保留在这里，恢复后状态与删除前相同。"
    what="预报名"
    list={listDeletedPreRegistrations}
    exports={exportDeletedPreRegistrations}
    recover={recoverPreRegistrations}
    destroy={destroyPreRegistration}
    destroyAll={destroyPreRegistrations}
    batches={batches}
    columns={columns}
    file={(row) => <DeletedDetail id={row.id} />}
    asBefore="恢复后状态与删除前相同。"
    kept="已有相同证件号的有效数据时不能恢复，会保留并说明原因。"
    forGood="照片和材料一并删除，不能再恢复；操作日志中保留一条记录，证件号等已隐去。"
  />
)
